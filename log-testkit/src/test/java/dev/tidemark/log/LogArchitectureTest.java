package dev.tidemark.log;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/// The log's place in the house: at the bottom of it, on the JDK alone.
class LogArchitectureTest {
  private static final String LOG = "dev.tidemark.log";
  private static final String SPI = "dev.tidemark.log.spi";
  private static final String TESTKIT = "dev.tidemark.log.testkit";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(LOG);

  @Test
  void theLogStandsOnTheJdkAlone() {
    classes()
        .that()
        .resideInAnyPackage(LOG, SPI)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(LOG, SPI, "java..", "jdk.jfr", "org.jspecify.annotations")
        .check(ALL);
  }

  @Test
  void theSeamKnowsNothingOfTheLog() {
    noClasses()
        .that()
        .resideInAPackage(SPI)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(LOG)
        .check(ALL);
  }

  @Test
  void theTestKitStandsOnTheSeamAlone() {
    classes()
        .that()
        .resideInAPackage(TESTKIT)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(TESTKIT, SPI, "java..", "org.jspecify.annotations")
        .check(ALL);
  }

  @Test
  void onlyTheStorageKnowsTheFileSystem() {
    noClasses()
        .that()
        .resideInAPackage(LOG)
        .and()
        .haveNameNotMatching(
            ".*\\.(FileStorage|NativeFile|ChannelFile|PosixCalls|DirectoryLock|DirectoryIdentity)")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.nio\\.channels\\..*|java\\.nio\\.file\\.Files|java\\.io\\..*File.*")
        .check(ALL);
  }

  @Test
  void aClassIsFinalUnlessItIsMadeToBeExtended() {
    classes()
        .that()
        .areNotInterfaces()
        .and()
        .areNotEnums()
        .and()
        .areNotAnonymousClasses()
        .and()
        .doNotHaveModifier(JavaModifier.ABSTRACT)
        .and()
        // the compiler's own, for switches over enums
        .doNotHaveModifier(JavaModifier.SYNTHETIC)
        .should()
        .haveModifier(JavaModifier.FINAL)
        .check(ALL);
  }

  @Test
  void noStateIsShared() {
    fields().that().areStatic().should().beFinal().check(ALL);
  }

  @Test
  void namesSayWhatAClassIs() {
    classes().should().haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl|Common)").check(ALL);
  }
}

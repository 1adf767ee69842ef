package dev.tidemark.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The server's place in the house, and the house rules that a compiler does not check.
class ServerArchitectureTest {
  private static final String PACKAGE = "dev.tidemark.server";
  private static final int MOST_PUBLIC_TYPES = 10;

  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(PACKAGE);

  @Test
  void theServerStandsOnTheStoreAndItsLibrariesAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            PACKAGE,
            "dev.tidemark.store",
            "io.helidon..",
            "tools.jackson.core..",
            "org.jspecify.annotations",
            "java..")
        .check(SERVER);
  }

  @Test
  void thePackageIsFlat() {
    classes().should().resideInAPackage(PACKAGE).check(SERVER);
  }

  @Test
  void fewTypesArePublic() {
    List<String> types =
        SERVER.stream()
            .filter(
                type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName)
            .toList();
    assertTrue(types.size() <= MOST_PUBLIC_TYPES, types::toString);
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
        .check(SERVER);
  }

  @Test
  void noStateIsShared() {
    noFields().that().areNotFinal().should().beStatic().allowEmptyShould(true).check(SERVER);
  }

  @Test
  void namesSayWhatAClassIs() {
    classes()
        .should()
        .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl|Common)")
        .check(SERVER);
  }
}

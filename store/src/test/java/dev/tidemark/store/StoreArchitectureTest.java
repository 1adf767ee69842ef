package dev.tidemark.store;

import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The store's place in the house, and the house rules that a compiler does not check.
class StoreArchitectureTest {
  private static final String PACKAGE = "dev.tidemark.store";
  private static final String ROCKS = "org.rocksdb..";

  private static final JavaClasses STORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(PACKAGE);

  @Test
  void theStoreStandsOnTheLogAndRocksDbAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            PACKAGE,
            "dev.tidemark.log",
            "dev.tidemark.log.spi",
            ROCKS,
            "org.jspecify.annotations",
            "java..")
        .check(STORE);
  }

  @Test
  void onlyTheKeyValueSideKnowsRocksDb() {
    noClasses()
        .that()
        .haveNameNotMatching(".*\\.(KeyValueSide|KeyValueBatch|RocksLibrary)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROCKS)
        .check(STORE);
  }

  /// What decides must not know a clock, chance, threads or the log: replay would differ.
  @Test
  void applyDependsOnNothingButWhatItIsGiven() {
    Set<String> decided =
        Set.of("Apply", "Preconditions", "JsonMerge", "StoredDocument", "CollectionUuid");
    noClasses()
        .that(
            DescribedPredicate.describe(
                "decide", (JavaClass type) -> decided.contains(outermost(type).getSimpleName())))
        .should(
            dependOnClassesThat(
                DescribedPredicate.describe(
                    "differ from run to run",
                    (JavaClass type) ->
                        type.getPackageName().startsWith("dev.tidemark.log")
                            || type.getPackageName().startsWith("java.time")
                            || type.getPackageName().startsWith("java.util.concurrent")
                            || type.getPackageName().startsWith("java.util.random")
                            || type.isEquivalentTo(System.class)
                            || type.isEquivalentTo(Thread.class)
                            || type.isEquivalentTo(LogClock.class)
                            || type.isEquivalentTo(java.util.Random.class)
                            || type.isEquivalentTo(java.util.UUID.class))))
        .check(STORE);
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(StoreArchitectureTest::outermost).orElse(type);
  }

  @Test
  void thePackageIsFlat() {
    classes().should().resideInAPackage(PACKAGE).check(STORE);
  }

  @Test
  void thePublicTypesAreTheseAndNoOthers() {
    Set<String> types =
        STORE.stream()
            .filter(
                type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "CollectionInfo",
            "Document",
            "DocumentStore",
            "InvalidJsonException",
            "JsonText",
            "Operation",
            "Outcome",
            "Precondition",
            "StoreClosedException",
            "StoreException",
            "StoreFailedException",
            "StoreLimits",
            "StoreOptions",
            "StoreStatus",
            "StoreUnusableException"),
        types);
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
        .check(STORE);
  }

  @Test
  void noStateIsShared() {
    fields().that().areStatic().should().beFinal().check(STORE);
  }

  @Test
  void namesSayWhatAClassIs() {
    classes()
        .should()
        .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl|Common)")
        .check(STORE);
  }

  @Test
  void noMethodTakesABoolean() {
    ArchRuleDefinition.methods()
        .should(
            new ArchCondition<JavaMethod>("take no boolean") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                boolean takes =
                    method.getRawParameterTypes().stream()
                        .anyMatch(type -> type.isEquivalentTo(boolean.class));
                if (takes) {
                  events.add(SimpleConditionEvent.violated(method, method.getFullName()));
                }
              }
            })
        .check(STORE);
  }
}

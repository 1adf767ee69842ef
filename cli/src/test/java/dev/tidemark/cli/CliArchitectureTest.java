package dev.tidemark.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The command line's place in the house.
final class CliArchitectureTest {
  private static final String PACKAGE = "dev.tidemark.cli";

  private static final JavaClasses CLI =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(PACKAGE);

  @Test
  void theCommandsStandOnServerStoreLogAndTheirLibrariesAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            PACKAGE,
            "dev.tidemark.server",
            "dev.tidemark.store",
            "dev.tidemark.log",
            "picocli..",
            "com.github.luben.zstd",
            "tools.jackson.core..",
            "org.jspecify.annotations",
            "java..")
        .check(CLI);
  }

  @Test
  void onlyTheEntryIsPublic() {
    assertEquals(
        List.of("Tidemark"),
        CLI.stream()
            .filter(t -> t.isTopLevelClass() && t.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName)
            .toList());
  }

  @Test
  void noStateIsShared() {
    noFields().that().areNotFinal().should().beStatic().allowEmptyShould(true).check(CLI);
  }
}

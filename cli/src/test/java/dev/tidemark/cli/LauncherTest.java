package dev.tidemark.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher, in a folder of its own whose JDKs and Maven are scripts that tell how they were
/// called. The folder's name holds a space.
final class LauncherTest {
  @TempDir private Path temp;

  private Path home;
  private Path tools;
  private Path jdks;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void makeAFolder() throws IOException {
    home = Files.createDirectory(temp.resolve("a clone"));
    tools = Files.createDirectory(temp.resolve("tools"));
    jdks = Files.createDirectory(temp.resolve("jdks"));
    Files.copy(Path.of("..", "tidemark").toRealPath(), home.resolve("tidemark"));
    for (String module : List.of("log", "log-testkit", "store", "server", "cli", "bench")) {
      Files.createDirectories(home.resolve(module).resolve("src/main/java"));
      Files.createFile(home.resolve(module).resolve("pom.xml"));
    }
    Files.createFile(home.resolve("pom.xml"));
    for (String tool :
        List.of(
            "sh",
            "dirname",
            "readlink",
            "sed",
            "head",
            "find",
            "grep",
            "mkdir",
            "rm",
            "mv",
            "touch",
            "cat")) {
      Path real = Path.of("/bin", tool);
      Files.createSymbolicLink(
          tools.resolve(tool), Files.exists(real) ? real : Path.of("/usr/bin", tool));
    }
    mavenThatBuilds();
    environment.put("PATH", tools.toString());
    environment.put("HOME", temp.toString());
    environment.put("TIDEMARK_JDK_FOLDERS", jdks.toString());
  }

  @Test
  void theNewestJdkOfTheUsualFoldersRunsBesideAnOlderDefault() throws Exception {
    Path old = jdk("jdk-17", "17.0.15");
    jdk("jdk-25", "25.0.3");
    jdk("jdk-9", "9");
    environment.put("JAVA_HOME", old.toString());
    Files.createSymbolicLink(tools.resolve("java"), old.resolve("bin/java"));
    assertEquals("jdk-25", runs().jdk());
    jdk("jdk-26", "26-ea");
    assertEquals("jdk-26", runs().jdk());
  }

  @Test
  void aJdkBundleOfMacOsIsFound() throws Exception {
    jdk("temurin-25.jdk/Contents/Home", "25.0.1");
    assertEquals("temurin-25.jdk/Contents/Home", runs().jdk());
  }

  @Test
  void javaHomeComesBeforeThePathAndThePathBeforeTheFolders() throws Exception {
    jdk("in-a-folder", "27");
    Path onPath = jdk("on-path", "26");
    Files.createSymbolicLink(temp.resolve("alternative"), onPath.resolve("bin/java"));
    Files.createSymbolicLink(tools.resolve("java"), Path.of("../alternative"));
    assertEquals("on-path", runs().jdk());
    environment.put("JAVA_HOME", jdk("java-home", "25").toString());
    assertEquals("java-home", runs().jdk());
  }

  @Test
  void aJdkNamedOnPurposeIsTheOnlyOneTried() throws Exception {
    environment.put("JAVA_HOME", jdk("java-home", "25").toString());
    environment.put("TIDEMARK_JAVA_HOME", jdk("named", "25").toString());
    assertEquals("named", runs().jdk());
    environment.put("TIDEMARK_JAVA_HOME", jdk("old", "24.0.2").toString());
    Run refused = run(home.resolve("tidemark"), temp, "status");
    assertEquals(1, refused.status());
    assertTrue(refused.err().contains("TIDEMARK_JAVA_HOME names"), refused.err());
    assertTrue(refused.err().contains("jdks/old"), refused.err());
  }

  @Test
  void aRuntimeWithoutACompilerIsPassedOver() throws Exception {
    Path runtime = jdk("runtime-26", "26");
    Files.delete(runtime.resolve("bin/javac"));
    jdk("jdk-25", "25");
    assertEquals("jdk-25", runs().jdk());
  }

  @Test
  void theVersionComesFromTheReleaseFileAndOnlyWithoutOneFromTheJvm() throws Exception {
    jdk("quick", "25.0.3");
    runs();
    assertFalse(Files.exists(temp.resolve("asked-quick")));
    Files.delete(jdk("silent", "27").resolve("release"));
    assertEquals("silent", runs().jdk());
    assertTrue(Files.exists(temp.resolve("asked-silent")));
  }

  @Test
  void withoutAJdkItSaysHowToGetOne() throws Exception {
    jdk("jdk-17", "17.0.15");
    Run refused = run(home.resolve("tidemark"), temp, "serve");
    assertEquals(1, refused.status());
    assertEquals("", refused.out());
    for (String part : List.of("no JDK 25", "adoptium.net", "sdk install", "TIDEMARK_JAVA_HOME")) {
      assertTrue(refused.err().contains(part), refused.err());
    }
  }

  @Test
  void itRunsFromAnyFolderAndThroughLinks() throws Exception {
    jdk("jdk-25", "25");
    Path bin = Files.createDirectory(temp.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("one"), Path.of("../a clone/tidemark"));
    Files.createSymbolicLink(bin.resolve("two"), bin.resolve("one"));
    for (Path command : List.of(Path.of("../bin/one"), bin.resolve("two"))) {
      Run run = run(command, Files.createDirectories(temp.resolve("elsewhere")), "status");
      assertEquals(0, run.status(), run.err());
      String jar = home.toRealPath() + "/cli/target/dist/lib/tidemark-cli-1-run.jar";
      assertTrue(run.out().contains("-jar " + jar + " status\n"), run.out());
    }
  }

  @Test
  void argumentsAndTheStatusPassThroughUnchanged() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    script(jdk.resolve("bin/java"), "for a in \"$@\"; do echo \"<$a>\"; done; exit 42");
    environment.put("JAVA_OPTS", "-Da=1 -Db=2");
    environment.put("TIDEMARK_JAVA_OPTS", "-Xmx64m");
    Run run = run(home.resolve("tidemark"), temp, "load", "a file", "", "*", "--x='q\"'");
    assertEquals(42, run.status());
    assertTrue(
        run.out()
            .endsWith("/lib/tidemark-cli-1-run.jar>\n<load>\n<a file>\n<>\n<*>\n<--x='q\"'>\n"),
        run.out());
    assertTrue(run.out().contains("<-Da=1>\n<-Db=2>\n<-Xmx64m>\n"), run.out());
  }

  @Test
  void benchRunsTheBenchesFromTheirOwnDistribution() throws Exception {
    jdk("jdk-25", "25");
    Run run = run(home.resolve("tidemark"), temp, "bench", "log");
    assertTrue(
        run.out().endsWith("/bench/target/dist/lib/* dev.tidemark.bench.Bench log\n"), run.out());
  }

  @Test
  void itBuildsWhatIsMissingOnceAndAgainWhenSourcesAreNewer() throws Exception {
    jdk("jdk-25", "25");
    Run first = runs();
    assertTrue(first.err().contains("building cli"), first.err());
    assertEquals(1, builds());
    assertEquals("", runs().err());
    assertEquals(1, builds());

    Path source = Files.createFile(home.resolve("log/src/main/java/New.java"));
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
    assertTrue(runs().err().contains("building cli"));
    assertEquals(2, builds());
  }

  @Test
  void aBuildArchivesTheClassesAndDoesWithoutWhereThatFails() throws Exception {
    Path jdk = jdk("jdk-25", "25");
    Path dist = home.resolve("cli/target/dist");
    String archives =
        """
        for a in "$@"; do
          case $a in -XX:ArchiveClassesAtExit=*) echo classes > "${a#*=}"; archives=yes;; esac
        done
        echo "$@" >> '%s/calls'
        [ -z "${archives:-}" ] || exit %%d"""
            .formatted(temp);
    script(jdk.resolve("bin/java"), archives.formatted(0));
    assertEquals("", runs().out());
    assertEquals("classes\n", Files.readString(dist.resolve("classes.jsa")));
    List<String> calls = Files.readAllLines(temp.resolve("calls"));
    assertEquals(2, calls.size());
    assertTrue(calls.get(0).endsWith(" rehearse"), calls.get(0));
    assertTrue(calls.get(1).contains("-XX:SharedArchiveFile="), calls.get(1));

    Files.delete(dist.resolve("built"));
    script(jdk.resolve("bin/java"), archives.formatted(1));
    runs();
    assertFalse(Files.exists(dist.resolve("classes.jsa")));
    assertFalse(Files.exists(dist.resolve("classes.new")));
  }

  @Test
  void aFailedBuildNamesItsLogAndRunsNothing() throws Exception {
    jdk("jdk-25", "25");
    script(tools.resolve("mvn"), "echo '[ERROR] the reason'; echo more; exit 1");
    Run failed = run(home.resolve("tidemark"), temp, "status");
    assertEquals(1, failed.status());
    assertEquals("", failed.out());
    assertTrue(failed.err().contains("[ERROR] the reason"), failed.err());
    assertFalse(failed.err().contains("more"), failed.err());
    Path log = home.toRealPath().resolve("target/tidemark-build.log");
    assertTrue(failed.err().contains(log.toString()), failed.err());
    assertTrue(Files.readString(log).contains("more"));

    mavenThatBuilds();
    assertEquals("jdk-25", runs().jdk());
  }

  @Test
  void withoutMavenItSaysHowToGetIt() throws Exception {
    jdk("jdk-25", "25");
    Files.delete(tools.resolve("mvn"));
    Run failed = run(home.resolve("tidemark"), temp, "status");
    assertEquals(1, failed.status());
    assertTrue(failed.err().contains("Maven is needed"), failed.err());
  }

  private record Run(int status, String out, String err) {
    String jdk() {
      return out.lines().findFirst().orElseThrow();
    }
  }

  private Run runs() throws Exception {
    Run run = run(home.resolve("tidemark"), temp, "status");
    assertEquals(0, run.status(), run.err());
    return run;
  }

  private Run run(Path command, Path folder, String... arguments) throws Exception {
    var line = new java.util.ArrayList<String>(List.of(command.toString()));
    line.addAll(List.of(arguments));
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    var builder =
        new ProcessBuilder(line)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    int status = builder.start().waitFor();
    return new Run(status, Files.readString(out), Files.readString(err));
  }

  /// A JDK that prints its name and how it was called, and leaves a mark when asked for its
  /// version.
  private Path jdk(String name, String version) throws IOException {
    Path jdk = Files.createDirectories(jdks.resolve(name));
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "LIBC=\"gnu\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(
        jdk.resolve("bin/java"),
        "if [ \"$1\" = -version ]; then touch '%s/asked-%s'; echo 'openjdk version \"%s\"'; exit; fi; echo '%s'; echo \"$@\""
            .formatted(temp, name.replace('/', '-'), version, name));
    script(jdk.resolve("bin/javac"), "exit 1");
    return jdk;
  }

  private void mavenThatBuilds() throws IOException {
    script(
        tools.resolve("mvn"),
        """
        echo built >> '%s/builds'
        for module in cli bench; do
          case "$*" in *"-pl $module "*)
            mkdir -p $module/target/dist/lib
            touch $module/target/dist/lib/tidemark-$module-1.jar $module/target/dist/lib/tidemark-$module-1-run.jar;;
          esac
        done"""
            .formatted(temp));
  }

  private long builds() throws IOException {
    return Files.readString(temp.resolve("builds")).lines().count();
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}

package dev.spur.service.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.spur.service.testing.MavenModules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.platform.commons.annotation.Testable;
import org.springframework.stereotype.Repository;

/**
 * Dependencies between modules and packages. A second test per rule shows that classes exist to which the rule applies:
 * a rule with a misspelled package would pass always.
 */
class ArchitectureTest {

    private static final String SOLVER = "dev.spur.solver..";
    private static final String HIGHS = "dev.spur.policies.monolithic";
    private static final String MAIN = "dev.spur.service";
    private static final String SERVICE = "dev.spur.service..";
    private static final String AGENT = "dev.spur.agent..";
    private static final String COMMANDS = "dev.spur.cli..";
    private static final String CONNECTORS = "dev.spur.connectors..";
    private static final String EMBEDDED_POSTGRES = "dev.spur.postgres..";
    private static final String[] SQL_INFRASTRUCTURE = {
        "dev.spur.service.database..", "dev.spur.service.operations.backup.."
    };
    private static final String LAUNCHER = "dev.spur.service.database.postgres";

    private static final String[] OR_TOOLS = {"com.google.ortools.."};
    private static final String[] SPRING = {"org.springframework.."};
    private static final String[] SQL = {
        "java.sql..",
        "javax.sql..",
        "org.postgresql..",
        "org.flywaydb..",
        "com.zaxxer.hikari..",
        "org.springframework.jdbc..",
        "org.springframework.boot.jdbc.."
    };

    private static final JavaClasses PRODUCTION = compiled("classes");
    private static final JavaClasses TESTS = compiled("test-classes");

    @Nested
    class OrToolsStaysInTheSolverAndTheHighsBaseline {
        private static final String FACTORY = "dev.spur.solver.nativelib.SolverFactory";
        private static final Set<String> SOLVERS = Set.of(
                "com.google.ortools.sat.CpSolver",
                "com.google.ortools.linearsolver.MPSolver",
                "com.google.ortools.modelbuilder.ModelSolver",
                "com.google.ortools.modelbuilder.ModelSolverHelper");
        private static final Set<String> CREATORS = Set.of("<init>", "createSolver");

        @Test
        void noOtherModuleUsesIt() {
            noClasses()
                    .that()
                    .resideOutsideOfPackages(SOLVER, HIGHS)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(OR_TOOLS)
                    .check(PRODUCTION);
        }

        @Test
        void oneFactoryCreatesItsSolvers() {
            noClasses()
                    .that()
                    .doNotHaveFullyQualifiedName(FACTORY)
                    .should()
                    .callCodeUnitWhere(createsASolver())
                    .check(PRODUCTION);
        }

        @Test
        void theFactoryCreatesSolvers() {
            assertThat(PRODUCTION.get(FACTORY).getAccessesFromSelf())
                    .filteredOn(createsASolver())
                    .hasSize(4);
        }

        /** A constructor or a factory method of any class of OR-Tools that solves. */
        private static DescribedPredicate<JavaAccess<?>> createsASolver() {
            return DescribedPredicate.describe(
                    "creates a solver",
                    call -> SOLVERS.contains(call.getTargetOwner().getName())
                            && CREATORS.contains(call.getTarget().getName()));
        }

        @Test
        void theSolverTestsKnowIt() {
            assertThat(dependents(TESTS, resideInAPackage(SOLVER), OR_TOOLS)).isNotEmpty();
        }
    }

    @Nested
    class SpringStaysInTheService {

        @Test
        void noOtherModuleUsesIt() {
            noClasses()
                    .that()
                    .resideOutsideOfPackage(SERVICE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(SPRING)
                    .check(PRODUCTION);
        }

        @Test
        void theServiceKnowsIt() {
            assertThat(dependents(PRODUCTION, resideInAPackage(SERVICE), SPRING))
                    .isNotEmpty();
        }
    }

    @Nested
    class SqlStaysInRepositories {

        /** The classes of the launcher that open the first connections. */
        private static final Set<String> LAUNCHER_MINIMUM = Set.of(
                "ExternalDatabase", "MigrationFailureAnalyzer", "PostgresConfiguration", "PostgresConfiguration$1");

        @Test
        void noOtherModuleUsesIt() {
            noClasses()
                    .that()
                    .resideOutsideOfPackage(SERVICE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(SQL)
                    .check(PRODUCTION);
        }

        @Test
        void aClassThatExecutesSqlIsARepositoryOrPrivateToItsPackage() {
            classes()
                    .that()
                    .resideInAPackage(SERVICE)
                    .and()
                    .resideOutsideOfPackages(SQL_INFRASTRUCTURE)
                    .and(executeSql())
                    .should()
                    .beAnnotatedWith(Repository.class)
                    .orShould()
                    .notBePublic()
                    .check(PRODUCTION);
        }

        @Test
        void aControllerExecutesNone() {
            noClasses()
                    .that()
                    .haveSimpleNameEndingWith("Controller")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(SQL)
                    .check(PRODUCTION);
        }

        @Test
        void manyClassesExecuteSql() {
            assertThat(dependents(PRODUCTION, resideInAPackage(SERVICE), SQL)).hasSizeGreaterThan(50);
        }

        @Test
        void theLauncherKnowsAsLittleAsPossible() {
            assertThat(dependents(PRODUCTION, resideInAPackage(LAUNCHER), SQL))
                    .extracting(type -> type.getName().replace(LAUNCHER + ".", ""))
                    .hasSameElementsAs(LAUNCHER_MINIMUM);
        }

        private static DescribedPredicate<JavaClass> executeSql() {
            return DescribedPredicate.describe(
                    "execute SQL",
                    type -> type.getDirectDependenciesFromSelf().stream()
                            .anyMatch(dependency -> dependency
                                    .getTargetClass()
                                    .getPackageName()
                                    .startsWith("org.springframework.jdbc")));
        }
    }

    @Nested
    class TheAgentSpeaksOnlyHttpWithTheService {

        @Test
        void itKnowsNothingOfTheRestOfSpur() {
            noClasses()
                    .that()
                    .resideInAnyPackage(AGENT, COMMANDS)
                    .should()
                    .dependOnClassesThat(resideInAPackage("dev.spur..")
                            .and(DescribedPredicate.not(resideInAnyPackage(AGENT, COMMANDS))))
                    .check(PRODUCTION);
        }

        @Test
        void itIsThere() {
            assertThat(dependents(PRODUCTION, resideInAPackage(AGENT), new String[] {"java.net.http.."}))
                    .isNotEmpty();
        }
    }

    @Nested
    class TheEmbeddedPostgresIsALauncher {

        @Test
        void itKnowsNothingOfTheRestOfSpur() {
            noClasses()
                    .that()
                    .resideInAPackage(EMBEDDED_POSTGRES)
                    .should()
                    .dependOnClassesThat(resideInAPackage("dev.spur..")
                            .and(DescribedPredicate.not(resideInAPackage(EMBEDDED_POSTGRES))))
                    .check(PRODUCTION);
        }

        @Test
        void itIsThere() {
            assertThat(PRODUCTION.get("dev.spur.postgres.PostgresServer")).isNotNull();
        }
    }

    @Nested
    class ConnectorsKnowPlatforms {

        @Test
        void andNothingOfTheRestOfSpur() {
            noClasses()
                    .that()
                    .resideInAPackage(CONNECTORS)
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("dev.spur..").and(DescribedPredicate.not(resideInAPackage(CONNECTORS))))
                    .check(PRODUCTION);
        }

        @Test
        void theyAreThere() {
            assertThat(dependents(PRODUCTION, resideInAPackage(CONNECTORS), new String[] {"java.net.http.."}))
                    .isNotEmpty();
        }
    }

    @Nested
    class LayersOfTheService {

        /** The packages of the service in order: each one depends only on those before it. */
        private static final List<String> ORDER = List.of(
                "startup",
                "security",
                "database",
                "web",
                "cluster",
                "jobs",
                "feeds",
                "executors",
                "plans",
                "outcomes",
                "rounds",
                "connectors",
                "questions",
                "operations",
                "api");

        private static final Pattern IMPORT =
                Pattern.compile("(?m)^import (?:static )?(dev\\.spur\\.service\\.[a-z.]*[A-Z]\\w*)");

        @ParameterizedTest
        @FieldSource("ORDER")
        void dependOnlyOnLayersBeforeThem(String layer) {
            String[] later = Stream.concat(
                            Stream.of(MAIN),
                            ORDER.subList(ORDER.indexOf(layer) + 1, ORDER.size()).stream()
                                    .map(name -> "%s.%s..".formatted(MAIN, name)))
                    .toArray(String[]::new);

            noClasses()
                    .that()
                    .resideInAPackage("%s.%s..".formatted(MAIN, layer))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(later)
                    .check(PRODUCTION);
        }

        @Test
        void haveNoPublicClassWithoutUsersInOtherPackages() throws IOException {
            Set<String> imported = imports();

            assertThat(PRODUCTION.that(resideInAPackage(MAIN + ".*..")))
                    .filteredOn(type ->
                            type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                    .filteredOn(type -> !imported.contains(type.getName()))
                    .filteredOn(type -> type.getDirectDependenciesToSelf().stream()
                            .allMatch(use -> use.getOriginClass().getPackage().equals(type.getPackage())))
                    .isEmpty();
        }

        /** Imports in all sources: the compiler copies constants, and tests and benchmarks are users, too. */
        private static Set<String> imports() throws IOException {
            Set<String> imported = new HashSet<>();
            for (String module : MavenModules.ALL) {
                try (Stream<Path> files = Files.walk(Path.of("..", module, "src"))) {
                    for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                            .toList()) {
                        IMPORT.matcher(Files.readString(file)).results().forEach(found -> imported.add(found.group(1)));
                    }
                }
            }
            return imported;
        }

        @Test
        void areThePackagesOfTheService() {
            assertThat(PRODUCTION.getPackage(MAIN).getSubpackages())
                    .extracting(JavaPackage::getRelativeName)
                    .containsExactlyInAnyOrderElementsOf(ORDER);
        }
    }

    @Nested
    class Packages {

        @Test
        void haveNoCycles() {
            slices().matching("dev.spur.(**)").should().beFreeOfCycles().check(PRODUCTION);
        }

        @Test
        void saySomethingAboutThemselvesAndAreNullMarked() {
            var packages = PRODUCTION.stream().map(JavaClass::getPackage).collect(Collectors.toSet());

            assertThat(packages).hasSizeGreaterThan(5).allMatch(ArchitectureTest::isNullMarked);
        }
    }

    @Nested
    class Tests {

        @Test
        void areFoundByTheBuild() {
            classes()
                    .that(haveTests())
                    .should()
                    .haveNameMatching("[^$]*Test(\\$.*)?")
                    .check(TESTS);
        }
    }

    private static DescribedPredicate<JavaClass> haveTests() {
        return DescribedPredicate.describe(
                "have tests",
                type -> type.getMethods().stream().anyMatch(method -> method.isMetaAnnotatedWith(Testable.class)));
    }

    private static boolean isNullMarked(JavaPackage javaPackage) {
        return javaPackage.tryGetPackageInfo().isPresent() && javaPackage.isAnnotatedWith(NullMarked.class);
    }

    private static List<JavaClass> dependents(
            JavaClasses classes, DescribedPredicate<JavaClass> where, String[] packages) {
        var desired = resideInAnyPackage(packages);
        return classes.stream()
                .filter(where)
                .filter(type -> type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(dependency -> desired.test(dependency.getTargetClass())))
                .toList();
    }

    /** Straight from where the compiler put them: jars of the other modules hold no tests. */
    private static JavaClasses compiled(String kind) {
        var directories = MavenModules.BEFORE_BENCHMARKS.stream()
                .map(module ->
                        Path.of("..", module, "target", kind).toAbsolutePath().normalize())
                .toList();
        assertThat(directories).allMatch(Files::isDirectory);
        return new ClassFileImporter().importPaths(directories);
    }
}

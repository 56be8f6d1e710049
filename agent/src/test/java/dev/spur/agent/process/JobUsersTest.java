package dev.spur.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JobUsersTest {

    @Test
    void aUserThatDoesNotExistIsAnError() {
        for (String option : List.of("no-such-user", "vision=no-such-user", "1", "")) {
            assertThatThrownBy(() -> JobUsers.parse(List.of(option), false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not exist on this node");
        }
    }

    @Test
    void twoUsersForAllTenantsAreAnError() throws IOException {
        String self = System.getProperty("user.name");

        assertThatThrownBy(() -> JobUsers.parse(List.of(self, self), false))
                .hasMessageContaining("several users for all tenants");
        assertThatThrownBy(() -> JobUsers.parse(List.of("a=" + self, "a=" + self), false))
                .hasMessageContaining("several users for tenant a");
    }

    @Test
    void theUserOfTheAgentRunsTheJobsOfAllTenantsIfStated() throws IOException {
        JobUsers users = JobUsers.parse(List.of(System.getProperty("user.name")), false);

        assertThat(users.areSeparate()).isFalse();
        assertThat(users.of("vision")).isEmpty();
        assertThat(users.of(null)).isEmpty();
    }

    @Test
    void anAgentThatIsNotRootRunsJobsAsItsOwnUser() throws IOException {
        assumeTrue(!isRoot(), "requires a user other than root");
        JobUsers users = JobUsers.parse(List.of(), false);

        assertThat(users.areSeparate()).isFalse();
        assertThat(users.of("vision")).isEmpty();
        assertThatThrownBy(() -> JobUsers.parse(List.of("root"), false))
                .hasMessageContaining("only an agent that runs as root");
    }

    private static boolean isRoot() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    }

    @Nested
    @Tag("process")
    class AnAgentThatRunsAsRoot {
        @Test
        void usesTheUserOfTheTenantThenThatOfAllTenants() throws IOException {
            try (TestUsers test = new TestUsers()) {
                String vision = test.add();
                String others = test.add();
                JobUsers users = JobUsers.parse(List.of(others, "vision=" + vision), false);

                assertThat(users.areSeparate()).isTrue();
                assertThat(users.of("vision").orElseThrow().name()).isEqualTo(vision);
                assertThat(users.of("speech").orElseThrow().name()).isEqualTo(others);
                assertThat(users.warning()).isEmpty();
            }
        }

        @Test
        void reportsThatSomeTenantsHaveNoUser() throws IOException {
            try (TestUsers test = new TestUsers()) {
                assumeTrue(JobUser.find("spur-jobs").isEmpty(), "requires a machine without the user spur-jobs");

                assertThat(JobUsers.parse(List.of("vision=" + test.add()), false)
                                .warning())
                        .hasValueSatisfying(text -> assertThat(text).contains("spur-jobs"));
                assertThat(JobUsers.parse(List.of("root"), false).warning()).isEmpty();
            }
        }

        @Test
        void runsAllJobsAsRootNextToTheServiceUntilAUserOfJobsExists() throws IOException {
            try (TestUsers test = new TestUsers()) {
                assumeTrue(JobUser.find("spur-jobs").isEmpty(), "requires a machine without the user spur-jobs");
                JobUsers users = JobUsers.parse(List.of(), true);

                assertThat(users.areSeparate()).isFalse();
                assertThat(users.of("vision")).isEmpty();
                assertThat(users.warning())
                        .hasValueSatisfying(text -> assertThat(text).startsWith("jobs run as root"));

                test.add("spur-t" + ProcessHandle.current().pid());
                assertThat(JobUsers.parse(List.of(), true).areSeparate()).isTrue();
            }
        }

        @Test
        void usesTheUserWithTheNameOfTheTenant() throws IOException {
            try (TestUsers test = new TestUsers()) {
                String tenant = "t" + ProcessHandle.current().pid();
                assertThatThrownBy(() -> JobUsers.parse(List.of(), false).of(tenant))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("spur-" + tenant)
                        .hasMessageContaining("spur-jobs")
                        .hasMessageContaining("--user");
                test.add("spur-" + tenant);

                assertThat(JobUsers.parse(List.of(), false)
                                .of(tenant)
                                .orElseThrow()
                                .name())
                        .isEqualTo("spur-" + tenant);
            }
        }

        @Test
        void startsNoProcessOfATenantThatItDoesNotKnow() throws IOException {
            try (TestUsers test = new TestUsers()) {
                JobUsers users = JobUsers.parse(List.of(test.add()), false);

                for (String tenant : new String[] {null, "..", "a/b", ""}) {
                    assertThatThrownBy(() -> users.of(tenant)).hasMessageContaining("unknown tenant");
                }
            }
        }

        @Test
        void rejectsUsersThatShareTheirGroup() throws IOException {
            try (TestUsers test = new TestUsers()) {
                String first = test.add();
                String second = test.add(
                        "spurt-%d-same".formatted(ProcessHandle.current().pid()), first);

                assertThatThrownBy(() -> JobUsers.parse(List.of("vision=" + first, "speech=" + second), false))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("same primary group");
            }
        }
    }
}

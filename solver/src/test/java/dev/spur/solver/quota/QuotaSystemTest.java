package dev.spur.solver.quota;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.tenant.Quota;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Non-preemptible jobs of tenant x with a nominal quota of 8, and of its children y and z with one of 4. */
class QuotaSystemTest {
    @Test
    void onlyTenantsWhoseWaitingJobsCanExceedTheirQuotaHaveAnAccountOfNonPreemptibleJobs() {
        assertThat(accounts(waiting("y", 4), waiting("z", 4))).isEmpty();
        assertThat(accounts(waiting("y", 5)))
                .extracting(Account::tenants)
                .singleElement()
                .asString()
                .isEqualTo("[y]");
    }

    @Test
    void anAccountCountsChildrenThatHaveNone() {
        List<Account> accounts = accounts(waiting("x", 3), waiting("y", 4), waiting("z", 4));

        assertThat(accounts).singleElement().satisfies(account -> {
            assertThat(account.tenants()).containsExactly("x", "y", "z");
            assertThat(account.limit()).isEqualTo(8);
        });
    }

    @Test
    void runningJobsCountTowardsTheQuota() {
        JobFixture running =
                job("running").tenant("y").slots(3).notPreemptible().on("n1", 3);

        assertThat(accounts(running, waiting("y", 1))).isEmpty();
        assertThat(accounts(running, waiting("y", 2)))
                .singleElement()
                .satisfies(account -> assertThat(account.limit()).isEqualTo(4));
    }

    @Test
    void jobsThatMayBeStoppedDoNotCount() {
        assertThat(accounts(job("a").tenant("y").slots(5))).isEmpty();
    }

    private static List<Account> accounts(JobFixture... jobs) {
        return new QuotaSystem(problem()
                        .nodes(16)
                        .tenant("x", "root", new Quota(8, null, null))
                        .tenant("y", "x", new Quota(4, null, null))
                        .tenant("z", "x", new Quota(4, null, null))
                        .jobs(jobs)
                        .build())
                .nonPreemptibleRootAccounts();
    }

    private static JobFixture waiting(String tenant, int slots) {
        return job("waiting-" + tenant).tenant(tenant).slots(slots).notPreemptible();
    }
}

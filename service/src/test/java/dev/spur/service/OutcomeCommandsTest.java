package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The commands that print outcomes and self-audits. */
class OutcomeCommandsTest extends ServiceTest {
    private int status;

    private String run(String... words) {
        var printed = new StringWriter();
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--service";
        all[words.length + 1] = address();
        status = Spur.commandLine()
                .setOut(new PrintWriter(printed, true))
                .setErr(new PrintWriter(printed, true))
                .execute(all);
        return printed.toString();
    }

    @Test
    void outcomesHaveALineForAllAndForEachTenant() {
        String job = world.job(1);
        world.sql("""
                update job set state = 'DONE', submitted_at = now() - interval '3 hours', ended_at = now() - interval '1 hour'
                where id = ?
                """, job);
        world.sql("insert into slot_capacity values ('A100', now() - interval '10 hours', 8, 0)");

        String text = run("outcomes");

        assertThat(status).isZero();
        assertThat(text.lines().map(line -> line.split(" +", 2)[0]))
                .containsExactly("TENANT", "(all)", "root", "", "TYPE", "A100");
        assertThat(text.lines().toList().get(1)).contains("2.0 h");
        assertThat(run("outcomes", "--since", "2999-01-01T00:00:00Z")).contains("must be before the end of the range");
        assertThat(status).isOne();
    }

    @Test
    void aSelfAuditIsStartedAndPrintedWithItsCauses() {
        assertThat(run("self-audit")).contains("There is no self-audit. ./spur self-audit --start starts one.");
        assertThat(run("self-audit", "--since", "2026-01-01T00:00:00Z")).contains("require --start");

        assertThat(run("self-audit", "--start")).contains("QUEUED, 0.0 % done.");
        assertThat(status).isZero();
        assertThat(run("self-audit")).contains("QUEUED");
        String replay = """
                {"policy": "spur", "meanJctSeconds": 600, "weightedMeanJctSeconds": 600, "p99JctSeconds": 900,
                 "meanQueueingSeconds": 5, "restartsPerJob": 0.5}
                """;
        world.sql("update simulation set state = 'DONE', ended_at = now(), results = ?", """
                {"summary": "Mean JCT 34.0 %% below fifo.", "jobs": 3, "excluded": 0,
                 "observed": {"jobs": 0, "meanJctSeconds": null, "replayedMeanJctSeconds": null}, "baseline": %1$s,
                 "regret": [{"cause": "OPTIMALITY_GAP", "without": %1$s, "seconds": 60, "weightedSeconds": 60, "fraction": 0.1}],
                 "total": {"seconds": 60, "fraction": 0.1}, "bestObjective": "COMPLETION_TIME", "references": []}
                """.formatted(replay));

        String text = run("self-audit");

        assertThat(text.lines().toList().get(1)).isEqualTo("Mean JCT 34.0 % below fifo.");
        assertThat(text).contains("3 jobs, mean JCT 10 min").containsPattern("optimality gap +10.0 % +60 s +10 min");
    }
}

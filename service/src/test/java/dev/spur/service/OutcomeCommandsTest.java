package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The commands that print outcomes. */
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
}

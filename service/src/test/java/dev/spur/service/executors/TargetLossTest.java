package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class TargetLossTest extends ExecutorsTest {
    private String trained() {
        String job = placed(piece("n1", "d0"));
        world.sql("update job set spec = jsonb_set(spec, '{work,targetLoss}', '0.5') where id = ?", job);
        run(job, one);
        for (int seq = 1; seq <= 5; seq++) {
            api.post(JOBS + job + "/progress", String.format(Locale.ROOT, """
                            {"generation": %d, "seq": %d, "samplesTotal": %d, "state": "RUNNING", "loss": 0.4}
                            """, world.generation(job), seq, seq))
                    .is(200);
        }
        return job;
    }

    @Test
    void thatIsReachedStopsTheProgramWhichNeedNotKnowIt() {
        String job = trained();

        JsonNode told = one.poll().path(0);
        assertThat(told.path("desired").asString()).isEqualTo("STOP");
        assertThat(told.path("reason").asString()).isEqualTo("TARGET_REACHED");
        assertThat(world.state(job)).isEqualTo("COMPLETING");
    }

    @Test
    void isTheEndOnceTheProgramHasStopped() {
        String job = trained();

        one.release(assignment(job)).is(200);

        assertThat(world.state(job)).isEqualTo("DONE");
    }
}

package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.service.SpurApplication;
import dev.spur.service.jobs.learning.LearningStore;
import dev.spur.service.jobs.learning.PredictionRefresher;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.testing.AnotherService;
import dev.spur.service.web.contract.ContractedClient;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/** Two replicas on one database that take reports of one job at a time. */
class TwoReplicasTest extends LearningTestBase {
    private static final int REPORTS = 60;

    @Autowired
    private Environment environment;

    @Autowired
    private LearningStore store;

    @Autowired
    private PredictionRefresher refresher;

    @Autowired
    private SpeedLearning learning;

    private ConfigurableApplicationContext other;
    private ContractedClient otherApi;
    private String job = "";

    @BeforeEach
    void startAnother() {
        String[] shared = {"spur.database.url", "spur.database.user", "spur.database.password"};
        other = AnotherService.start(
                new SpringApplicationBuilder(SpurApplication.class)
                        .properties(
                                "server.port=0",
                                "spur.rounds.enabled=false",
                                "spur.executors.check-interval=0s",
                                "spur.security.mode=local",
                                "spur.security.rate.failures-per-minute=0"),
                List.of(shared).stream()
                        .map(name -> "--" + name + "=" + environment.getRequiredProperty(name))
                        .toArray(String[]::new));
        otherApi = new ContractedClient(other.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        job = submit(submission(Wrong.NOTHING));
        round();
    }

    @AfterEach
    void stopTheOther() {
        other.close();
    }

    /** Sends reports until the shared number of the last one is used up. Returns how many were taken. */
    private int report(ContractedClient replica, AtomicInteger seq, PredictionRefresher own, double samplesPerSecond) {
        int applied = 0;
        for (int next = seq.incrementAndGet(); next <= REPORTS; next = seq.incrementAndGet()) {
            var reply = replica.post(
                            JOBS + "/" + job + "/progress",
                            String.format(
                                    Locale.ROOT,
                                    """
                            {"generation": 1, "seq": %d, "samplesTotal": %d, "state": "RUNNING", "loss": %f,
                             "measured": {"samplesPerSecond": %f, "steps": 50}}
                            """,
                                    next,
                                    next * 10,
                                    3.0 / next,
                                    samplesPerSecond * (1 + 0.3 * (next % 3))))
                    .is(200)
                    .json();
            applied += reply.path("applied").booleanValue() ? 1 : 0;
            own.refresh();
        }
        return applied;
    }

    @Test
    void loseNoReportAndNoOlderFitStandsInTheEnd() throws Exception {
        AtomicInteger seq = new AtomicInteger();
        double speed = truth("A100", 1, 64, 0);
        Callable<Integer> here = () -> report(api, seq, refresher, speed);
        Callable<Integer> there = () -> report(otherApi, seq, other.getBean(PredictionRefresher.class), speed);
        ExecutorService both = Executors.newFixedThreadPool(2);
        int applied = 0;
        for (Future<Integer> done : both.invokeAll(List.of(here, there), 300, TimeUnit.SECONDS)) {
            applied += done.get();
        }
        both.shutdown();

        assertThat(applied).isBetween(REPORTS / 2, REPORTS);
        assertThat(prediction(job).path("reports").intValue()).isEqualTo(applied);
        assertThat(world.value(Integer.class, "select report_seq from job where id = '" + job + "'"))
                .isEqualTo(REPORTS);
        other.getBean(PredictionRefresher.class).refresh();
        JobSpec spec = RoundJson.mapper().treeToValue(job(job).path("spec"), JobSpec.class);
        assertThat(store.find(job).orElseThrow().predicted().profile(RiskAttitude.EVEN))
                .isEqualTo(learning.withPredictions(job, spec).profile());
        assertThat(world.value(Integer.class, "select jsonb_array_length(losses -> 'points') from job_loss"))
                .isEqualTo(applied);
    }
}

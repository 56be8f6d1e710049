package dev.spur.service.jobs.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.service.jobs.StepMeasurement;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.testing.TestCluster;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

class PredictionRefresherTest extends ServiceTest {
    private static final Configuration HELD =
            new Configuration("main", "A100", List.of(1), SyncStrategy.ALL_REDUCE, 0, 64, 1);

    @Autowired
    private LearningStore store;

    @Autowired
    private SpeedLearning learning;

    @Autowired
    private PredictionRefresher refresher;

    @Autowired
    private TransactionTemplate transaction;

    private final JobSpec spec = TestCluster.spec(1);
    private String job = "";

    @BeforeEach
    void submit() {
        world.node("n1", 8);
        job = world.job(spec);
    }

    private void report(double stepSeconds, @Nullable Double noise) {
        transaction.executeWithoutResult(status ->
                learning.learn(job, spec, 1, HELD, new StepMeasurement(stepSeconds, null, null, 50, noise, null)));
    }

    private JobLearning known() {
        return store.find(job).orElseThrow();
    }

    @Test
    void reportsLeaveTheFitToIt() {
        report(2, null);
        assertThat(known().basis()).isEqualTo(JobLearning.Basis.OUTDATED);
        JobLearning before = known();

        assertThat(refresher.refresh()).isOne();

        assertThat(known().predicted()).isNotEqualTo(before.predicted());
        assertThat(known().learned()).isEqualTo(before.learned());
        assertThat(refresher.refresh()).isZero();
    }

    @Test
    void reportsThatSayWhatWasPredictedAskForNoFit() {
        for (int i = 0; i < 5; i++) {
            report(0.64, null);
            refresher.refresh();
        }

        report(0.645, null);

        assertThat(refresher.refresh()).isZero();
        assertThat(known().learned().observations()).isNotEmpty();
    }

    @Test
    void aReportThatComesDuringAFitStands() {
        report(2, null);
        LearningStore.Versioned before = store.findVersioned(job).orElseThrow();
        report(2.1, 300.0);
        JobLearning reported = known();

        boolean replaced = store.replacePredictions(
                job, before.version(), before.learning().predicted(), new JobLearning.Basis(1, 1));

        assertThat(replaced).isFalse();
        assertThat(known()).isEqualTo(reported);
        assertThat(refresher.refresh()).isOne();
    }

    @Test
    void endedJobsAreNotPredicted() {
        report(2, null);
        world.sql("update job set state = 'CANCELLED', ended_at = now() where id = ?", job);

        assertThat(refresher.refresh()).isZero();
    }

    @Test
    void oneWildNoiseScaleMovesTheMeanALittle() {
        assertThat(store.noiseScale(job)).isEmpty();
        for (double noise : new double[] {100, 100, 100, 1e9}) {
            report(0.64, noise);
        }

        assertThat(store.noiseScale(job).orElseThrow()).isBetween(101.0, 200.0);
    }
}

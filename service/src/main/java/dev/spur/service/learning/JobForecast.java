package dev.spur.service.learning;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.JobFacts;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.job.Prediction.Stance;
import dev.spur.prediction.job.PredictionGrid;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.prediction.speed.TypedObservation;
import dev.spur.solver.recommend.SpeedSpread;
import java.util.List;
import org.hipparchus.distribution.continuous.NormalDistribution;

/** How fast one job is expected to run on the types of a cluster, and how sure that is. */
public final class JobForecast implements SpeedSpread {
    /** Chance with which predicted bands hold. */
    public static final double PROBABILITY = 0.8;

    /** How far two runs in the same configuration differ, as a standard deviation of logarithms. */
    private static final double BETWEEN_RUNS = 0.03;
    /** Half the width of a band in standard deviations. */
    private static final double DEVIATIONS =
            new NormalDistribution().inverseCumulativeProbability((1 + PROBABILITY) / 2);

    private final JobSpec stated;
    private final JobPredictor predictor;
    private final PredictedProfile predicted;

    private JobForecast(JobSpec stated, JobPredictor predictor, PredictedProfile predicted) {
        this.stated = stated;
        this.predictor = predictor;
        this.predicted = predicted;
    }

    /**
     * The forecast for a job.
     *
     * @param stated what the job asks for
     * @param reported what it has measured while it ran
     * @param families what other jobs have measured
     * @param offers types of the cluster
     */
    public static JobForecast of(
            JobSpec stated, List<TypedObservation> reported, Families families, List<TypeOffer> offers) {
        JobFacts facts = new JobFacts(stated.family(), stated.profile(), reported, stated.batch());
        JobPredictor predictor = new JobPredictor(facts, families);
        PredictionGrid grid = new PredictionGrid(offers, stated.elasticity(), stated.batch(), stated.synchronization());
        return new JobForecast(stated, predictor, predictor.profile(grid, PROBABILITY));
    }

    /** The predictions for all that a round may ask. */
    public PredictedProfile predicted() {
        return predicted;
    }

    /** What is asked for, with the predicted speeds. */
    public JobSpec spec(Stance stance) {
        return stated.withSpeed(predicted.profile(stance), stated.efficiency());
    }

    /** The prediction for one configuration. */
    public Prediction prediction(Configuration shape) {
        return predictor.predict(
                new ProfilePoint(
                        shape.acceleratorType(),
                        shape.slots(),
                        shape.nodes(),
                        shape.batchSize(),
                        shape.strategy(),
                        shape.aggregationSlots(),
                        0),
                PROBABILITY);
    }

    @Override
    public double of(Configuration configuration) {
        Prediction prediction = prediction(configuration);
        double median = prediction.point().samplesPerSecond();
        if (median == 0 || prediction.low() == 0) {
            return BETWEEN_RUNS;
        }
        return Math.hypot(BETWEEN_RUNS, Math.log(median / prediction.low()) / DEVIATIONS);
    }
}

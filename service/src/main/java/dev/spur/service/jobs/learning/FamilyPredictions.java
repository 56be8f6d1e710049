package dev.spur.service.jobs.learning;

import dev.spur.model.job.Job;
import dev.spur.model.performance.FamilyMeasurement;
import dev.spur.model.performance.MeasuredFamily;
import dev.spur.model.round.RoundProblem;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.prediction.family.FamilyStep;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.prediction.speed.StepShape;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Predictions for the jobs of a problem that carries the measurements of their families. */
public final class FamilyPredictions {
    private FamilyPredictions() {}

    /**
     * Returns {@code problem} without families. Each job of one of its families has the speeds that a round of the
     * service plans with if all jobs together have reported these measurements.
     */
    public static RoundProblem apply(RoundProblem problem) {
        if (problem.families().isEmpty()) {
            return problem;
        }
        Families families = new Families(
                problem.families().stream().map(FamilyPredictions::speeds).toList());
        Set<String> measured =
                problem.families().stream().map(MeasuredFamily::name).collect(Collectors.toSet());
        List<TypeOffer> offers = PredictionContext.offers(problem.nodes());
        List<Job> jobs = problem.jobs().stream()
                .map(job -> job.spec().family() != null
                                && measured.contains(job.spec().family())
                        ? job.withSpec(SpeedLearning.plannedSpec(job.spec(), job.deadlineStatus(), families, offers))
                        : job)
                .toList();
        return problem.withJobs(jobs).withFamilies(List.of());
    }

    private static FamilySpeeds speeds(MeasuredFamily family) {
        return new FamilySpeeds(
                family.name(),
                family.measurements().stream().map(FamilyPredictions::step).toList());
    }

    private static FamilyStep step(FamilyMeasurement measured) {
        return new FamilyStep(
                measured.acceleratorType(),
                StepShape.ofBatch(
                        measured.slots(),
                        measured.nodes(),
                        measured.batchSize(),
                        measured.accumulationSteps(),
                        measured.aggregationSlots()),
                measured.stepSeconds(),
                measured.jobs());
    }
}

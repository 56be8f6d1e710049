package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import dev.spur.prediction.BatchChoice;
import dev.spur.prediction.BatchRange;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ground truth of a job that tunes its batch size by what it has learned. On a type with observations it uses its
 * fitted step-time model; on other types it keeps the initial batch size. Its resulting speed is the measured one. As
 * in the simulator of Sia (Jayaram Subramanya et al., SOSP '23).
 */
final class LearningGroundTruth implements GroundTruth {
    private record Stretch(String type, List<Integer> shape, int epoch) {}

    private record Known(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {}

    private final AdaptiveModel model;
    private final StepModel.Learner learner;
    private final StepModel.ByType predictedByType;
    private final Map<Known, GroundTruth> otherTruths;
    private final Map<Stretch, BatchChoice> choices = new ConcurrentHashMap<>();

    /** Creates the ground truth of a job that has never run. */
    LearningGroundTruth(AdaptiveModel model, StepModel.Learner learner) {
        this(model, learner, learner.after(List.of(), List.of()), new ConcurrentHashMap<>());
        otherTruths.put(new Known(List.of(), List.of()), this);
    }

    private LearningGroundTruth(
            AdaptiveModel model,
            StepModel.Learner learner,
            StepModel.ByType predictedByType,
            Map<Known, GroundTruth> otherTruths) {
        this.model = model;
        this.learner = learner;
        this.predictedByType = predictedByType;
        this.otherTruths = otherTruths;
    }

    @Override
    public GroundTruth after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        return otherTruths.computeIfAbsent(
                new Known(pastConfigurations, familyConfigurations),
                known -> new LearningGroundTruth(
                        model, learner, learner.after(pastConfigurations, familyConfigurations), otherTruths));
    }

    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        int epoch = model.epochAt(doneSamples);
        double speed = choice(configuration, epoch).goodput();
        return new ProgressRate(speed, model.endOf(epoch), epoch == model.epochs() - 1);
    }

    @Override
    public Configuration running(Configuration heldConfiguration, double doneSamples) {
        BatchChoice choice = choice(heldConfiguration, model.epochAt(doneSamples));
        return heldConfiguration.withBatch(choice.batchSize(), choice.accumulationSteps());
    }

    @Override
    public double startSeconds(boolean first) {
        return model.conventions().startSeconds(model.model().name());
    }

    @Override
    public boolean tunesBatch() {
        return true;
    }

    /** Returns the batch size that the job chooses, with its true speed. */
    private BatchChoice choice(Configuration heldConfiguration, int epoch) {
        return choices.computeIfAbsent(
                new Stretch(heldConfiguration.acceleratorType(), heldConfiguration.shape(), epoch), this::chooseBatch);
    }

    private BatchChoice chooseBatch(Stretch stretch) {
        BatchRange range = model.range(stretch.type, stretch.shape);
        int slots = stretch.shape.stream().mapToInt(Integer::intValue).sum();
        BatchChoice choice = predictedByType
                .on(stretch.type)
                .map(steps -> best(steps, range, stretch, slots))
                .orElseGet(() -> BatchChoice.split(
                        Math.max(range.initial(), (double) range.minPerDevice() * slots), range, slots));
        double goodput = model.trueSamplesPerSecond(stretch.type, stretch.shape, stretch.epoch, choice);
        return new BatchChoice(choice.perDeviceBatch(), choice.accumulationSteps(), choice.batchSize(), goodput);
    }

    private BatchChoice best(StepModel fittedModel, BatchRange range, Stretch stretch, int slots) {
        int nodes = stretch.shape.size();
        return BatchChoice.best(
                        range,
                        slots,
                        (perDevice, accumulation, batch) -> model.gain(batch, stretch.epoch)
                                / fittedModel.stepSeconds(nodes, slots, perDevice, accumulation))
                .orElseGet(() -> BatchChoice.split(range.initial(), range, slots));
    }
}

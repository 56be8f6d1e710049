package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.prediction.StepTimeModel;
import dev.spur.service.jobs.StepMeasurement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hints of AdaptDL's training code to its scheduler, as far as they are used; names are AdaptDL's.
 *
 * @param initBatchSize batch size of {@code gradParams}, at least 1; null if it was not reported
 * @param gradParams statistics of the gradient; null before there are any
 * @param perfParams parameters fitted to the steps so far; null before there are any
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Hints(
        @Nullable Integer initBatchSize,
        @Nullable GradParams gradParams,
        @Nullable PerfParams perfParams) {
    /**
     * Statistics of the gradient at the initial batch size.
     *
     * @param norm squared norm of its mean
     * @param var its variance, at least 0
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record GradParams(double norm, double var) {}

    /** Parameters of the step time, s; see {@link StepTimeModel}. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record PerfParams(
            @JsonProperty("alpha_c") double alphaC,
            @JsonProperty("beta_c") double betaC,
            @JsonProperty("alpha_n") double alphaN,
            @JsonProperty("beta_n") double betaN,
            @JsonProperty("alpha_r") double alphaR,
            @JsonProperty("beta_r") double betaR,
            @JsonProperty("gamma") double gamma) {
        PerfParams {
            Checks.require(alphaC + betaC > 0, "alpha_c (%s) or beta_c (%s) must be above 0", alphaC, betaC);
        }

        StepTimeModel model() {
            return new StepTimeModel(alphaC, betaC, alphaN, betaN, alphaR, betaR, gamma);
        }
    }

    /**
     * Returns the step time in the present shape of the job, which was measured. The formula's values for other shapes
     * are ignored: they are reported when the job runs there, and the formula is no better than the predictions here.
     */
    Optional<StepMeasurement> measurement(Configuration held) {
        PerfParams fitted = perfParams;
        if (fitted == null) {
            return Optional.empty();
        }
        int passes = held.accumulationSteps() + 1;
        double perDevice = Math.ceil((double) held.batchSize() / (held.slots() * passes));
        double seconds = fitted.model().stepSeconds(held.nodes(), held.slots(), perDevice, held.accumulationSteps());
        return Optional.of(new StepMeasurement(seconds, null, null, 1, noiseScale(), null));
    }

    /**
     * Returns the gradient noise scale in samples; null if it is unknown. Progress per sample at batch M is {@code (var
     * + norm) / (var + norm M / M0)} with AdaptDL's statistics at its initial batch M0, and {@code (phi + M0) / (phi +
     * M)} here.
     */
    private @Nullable Double noiseScale() {
        GradParams gradient = gradParams;
        Integer initial = initBatchSize;
        return gradient == null || initial == null || gradient.norm() <= 0
                ? null
                : initial * gradient.var() / gradient.norm();
    }
}

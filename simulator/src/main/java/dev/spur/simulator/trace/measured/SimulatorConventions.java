package dev.spur.simulator.trace.measured;

import java.util.Map;

/** Assumptions of the published simulators about the models, in addition to the measurements. */
enum SimulatorConventions {
    /** Sia's simulator (Jayaram Subramanya et al., SOSP '23): start times by model, and jobs slower than measured. */
    SIA {
        @Override
        double startSeconds(String model) {
            return SIA_STARTS.getOrDefault(model, USUAL_START);
        }

        @Override
        double assumedStartSeconds(String model) {
            return SIA_ASSUMED.getOrDefault(model, USUAL_START);
        }

        @Override
        double slowdown(String model) {
            return SIA_SLOWDOWNS.getOrDefault(model, 1.2);
        }

        @Override
        int maxSlots(String model) {
            return MAX_SLOTS;
        }

        @Override
        int maxPerDevice(String model) {
            return Integer.MAX_VALUE;
        }

        @Override
        int plannedBatch(int stated) {
            return stated;
        }
    },

    /**
     * Pollux's simulator (Qiao et al., OSDI '21): 30 s for each start, recommendation on one slot, small detector
     * passes.
     */
    POLLUX {
        @Override
        double startSeconds(String model) {
            return USUAL_START;
        }

        @Override
        double assumedStartSeconds(String model) {
            return USUAL_START;
        }

        @Override
        double slowdown(String model) {
            return 1;
        }

        @Override
        int maxSlots(String model) {
            return model.equals("ncf") ? 1 : MAX_SLOTS;
        }

        @Override
        int maxPerDevice(String model) {
            return model.equals("yolov3") ? 8 : Integer.MAX_VALUE;
        }

        @Override
        int plannedBatch(int stated) {
            return Integer.MAX_VALUE;
        }
    };

    private static final int MAX_SLOTS = 64;
    private static final double USUAL_START = 30;
    private static final Map<String, Double> SIA_STARTS =
            Map.of("cifar10", 50.0, "deepspeech2", 25.0, "bert", 120.0, "yolov3", 80.0, "imagenet", 250.0, "ncf", 15.0);
    private static final Map<String, Double> SIA_ASSUMED =
            Map.of("deepspeech2", 25.0, "bert", 120.0, "yolov3", 45.0, "imagenet", 250.0);
    private static final Map<String, Double> SIA_SLOWDOWNS = Map.of("cifar10", 1.8, "ncf", 1.5, "gpt_pmp", 1.0);
    private static final Map<String, Integer> EPOCHS =
            Map.of("bert", 2, "cifar10", 100, "ncf", 10, "imagenet", 90, "deepspeech2", 80, "yolov3", 50);

    /** Returns the seconds from the assignment of slots to progress. */
    abstract double startSeconds(String model);

    /** Returns the same seconds as assumed by the policy. */
    abstract double assumedStartSeconds(String model);

    /** Returns the ratio of the simulated to the measured step time, at least 1. */
    abstract double slowdown(String model);

    /** Returns the maximum number of slots of a job of the model. */
    abstract int maxSlots(String model);

    /** Returns the upper limit for the samples per pass and device, in addition to the measured limit. */
    abstract int maxPerDevice(String model);

    /**
     * Returns the largest global batch size with which learning policies plan adaptive jobs whose workload states
     * {@code stated}. It does not limit the jobs: in Sia's simulator only the planner treats the stated size as the
     * largest one.
     */
    abstract int plannedBatch(int stated);

    /** Returns the number of epochs of a job of the model, at most {@code measured}. */
    int epochs(String model, int measured) {
        return Math.min(measured, EPOCHS.getOrDefault(model, measured));
    }
}

package dev.spur.simulator.trace.spurformat;

import dev.spur.model.Checks;
import java.util.List;
import java.util.Map;

/**
 * Content of a trace file.
 *
 * @param models models by name
 * @param jobs jobs in any order
 */
record SpurTraceFile(Map<String, SpurTraceModel> models, List<SpurTraceJob> jobs) {
    SpurTraceFile {
        models = Checks.copy(models);
        jobs = Checks.copy(jobs);
    }
}

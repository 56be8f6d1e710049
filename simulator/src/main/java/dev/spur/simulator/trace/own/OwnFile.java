package dev.spur.simulator.trace.own;

import dev.spur.model.Checks;
import java.util.List;
import java.util.Map;

/**
 * The whole file.
 *
 * @param models by name
 * @param jobs in any order
 */
record OwnFile(Map<String, Model> models, List<OwnJob> jobs) {
    OwnFile {
        models = Checks.copy(models);
        jobs = Checks.copy(jobs);
    }
}

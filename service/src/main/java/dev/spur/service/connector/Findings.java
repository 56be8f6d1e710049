package dev.spur.service.connector;

import dev.spur.connectors.PlatformText;
import dev.spur.connectors.engine.Observation;
import dev.spur.connectors.engine.Report;
import dev.spur.model.json.RoundJson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a look at a platform came to. Members as in the contract.
 *
 * @param agrees true if the platform shows all that the plan asks for
 * @param wanted changes that the plan asks for and the platform does not show
 * @param blocked those of them that nothing is done for: they wait for room, for others to end, or for a higher mode, or were refused
 * @param nodes nodes that were seen
 * @param jobs jobs that were seen and have not ended
 * @param takenOver jobs that persons have taken over, by id, and what was seen
 * @param fixedLoad slots by node that jobs hold which Spur does not run
 * @param notes what could not be entered, for people
 */
record Findings(
        boolean agrees,
        int wanted,
        int blocked,
        int nodes,
        long jobs,
        Map<String, String> takenOver,
        Map<String, Integer> fixedLoad,
        List<String> notes) {
    Findings {
        takenOver = new TreeMap<>(takenOver);
        takenOver.replaceAll((job, seen) -> PlatformText.clean(seen));
        fixedLoad = new TreeMap<>(fixedLoad);
        notes = notes.stream().map(PlatformText::clean).toList();
    }

    static Findings of(Observation seen, Report report, Map<String, Integer> fixedLoad, List<String> notes) {
        return new Findings(
                report.agrees(),
                report.wanted().size(),
                report.blocked().size(),
                seen.nodes().size(),
                seen.jobs().values().stream()
                        .filter(job -> !job.state().hasEnded())
                        .count(),
                report.released(),
                fixedLoad,
                notes);
    }

    String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }

    static Findings read(String json) {
        return RoundJson.mapper().readValue(json, Findings.class);
    }
}

package dev.spur.benchmarks.chaos;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Steps of all ranks and generations of a job, as its ranks recorded them. */
public final class TrainingRecord {
    private final TreeMap<Integer, List<RankStep>> stepsByGeneration;

    TrainingRecord(Collection<RankStep> steps) {
        stepsByGeneration =
                steps.stream().collect(Collectors.groupingBy(RankStep::generation, TreeMap::new, Collectors.toList()));
    }

    /** Reads the files {@code GENERATION-RANK.jsonl} of a folder. A line that a kill has cut off is ignored. */
    static TrainingRecord read(Path folder) throws IOException {
        List<RankStep> steps = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String[] name =
                        file.getFileName().toString().replace(".jsonl", "").split("-", -1);
                String text = Files.readString(file);
                for (String line :
                        text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                    JsonNode step = RoundJson.mapper().readTree(line);
                    steps.add(new RankStep(
                            Integer.parseInt(name[0]),
                            Integer.parseInt(name[1]),
                            step.path("at").asDouble(),
                            step.path("before").asLong(),
                            step.path("ids").valueStream().map(JsonNode::asInt).toList()));
                }
            }
        }
        return new TrainingRecord(steps);
    }

    /** Returns the number of generations that trained. */
    int generations() {
        return stepsByGeneration.size();
    }

    /** Returns the samples of all steps, repeated ones included. */
    long trainedSamples() {
        return stepsByGeneration.values().stream()
                .flatMap(List::stream)
                .mapToLong(step -> step.ids().size())
                .sum();
    }

    /** Returns the generations that trained at the same time; none if all is well. */
    List<String> overlaps() {
        List<String> found = new ArrayList<>();
        int previous = 0;
        double end = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Integer, List<RankStep>> entry : stepsByGeneration.entrySet()) {
            double first =
                    entry.getValue().stream().mapToDouble(RankStep::at).min().orElseThrow();
            double last =
                    entry.getValue().stream().mapToDouble(RankStep::at).max().orElseThrow();
            if (first < end) {
                found.add(String.format(
                        Locale.ROOT,
                        "generation %d trained %.1f s after the first step of generation %d",
                        previous,
                        end - first,
                        entry.getKey()));
            }
            if (last > end) {
                end = last;
                previous = entry.getKey();
            }
        }
        return found;
    }

    /**
     * Returns the generations that began with fewer samples than a checkpoint reported before had; none if all is well.
     */
    List<String> losses(List<ReportedCheckpoint> reports) {
        List<String> found = new ArrayList<>();
        stepsByGeneration.forEach((generation, steps) -> {
            RankStep first = steps.stream()
                    .min((left, right) -> Double.compare(left.at(), right.at()))
                    .orElseThrow();
            reports.stream()
                    .filter(report -> report.at() < first.at() && report.samples() > first.before())
                    .reduce((earlier, later) -> later)
                    .ifPresent(report -> found.add("generation %d began at %d samples after a checkpoint of %d"
                            .formatted(generation, first.before(), report.samples())));
        });
        return found;
    }

    /**
     * Returns the steps that lead to the end: of each generation those before the position at which a later one began.
     */
    private List<RankStep> lineage(long total) {
        List<RankStep> found = new ArrayList<>();
        long limit = total;
        for (List<RankStep> steps : stepsByGeneration.descendingMap().values()) {
            long end = limit;
            steps.stream().filter(step -> step.before() < end).forEach(found::add);
            limit = Math.min(
                    limit, steps.stream().mapToLong(RankStep::before).min().orElse(limit));
        }
        return found;
    }

    /**
     * Returns the samples that the final state has not seen once per epoch; none if all is well.
     *
     * @param samples samples of an epoch
     * @param epochs number of epochs
     */
    List<String> deviations(int samples, int epochs) {
        List<String> found = new ArrayList<>();
        List<RankStep> lineage = lineage((long) samples * epochs);
        for (int epoch = 0; epoch < epochs; epoch++) {
            int now = epoch;
            List<Integer> ids = lineage.stream()
                    .filter(step -> step.before() / samples == now)
                    .flatMap(step -> step.ids().stream())
                    .toList();
            Set<Integer> distinct = new HashSet<>(ids);
            long missing = IntStream.range(0, samples)
                    .filter(id -> !distinct.contains(id))
                    .count();
            int repeated = ids.size() - distinct.size();
            if (missing > 0 || repeated > 0) {
                found.add("epoch %d: %d samples missing, %d repeated".formatted(epoch + 1, missing, repeated));
            }
        }
        return found;
    }
}

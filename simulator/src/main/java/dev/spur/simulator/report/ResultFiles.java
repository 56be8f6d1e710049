package dev.spur.simulator.report;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.json.RoundJson;
import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.RoundSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Replay results as files for other programs. Times are seconds since the start of the trace; a missing value is empty.
 */
public final class ResultFiles {
    private ResultFiles() {}

    /**
     * Writes {@code policies.csv}, {@code jobs.csv}, {@code rounds.csv} and {@code allocations.csv} into
     * {@code folder}.
     */
    public static void writeCsv(Path folder, List<Replay> replays) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("policies.csv"), policiesCsv(replays));
        writeJobs(folder.resolve("jobs.csv"), replays);
        writeRounds(folder.resolve("rounds.csv"), replays);
        writeAllocations(folder.resolve("allocations.csv"), replays);
    }

    /** Returns one row per policy, as in {@code policies.csv}. */
    public static String policiesCsv(List<Replay> replays) throws IOException {
        ResultTable table = SummaryTable.of(replays.stream().map(Summary::of).toList());
        StringBuilder text = new StringBuilder();
        try (CSVPrinter csv = new CSVPrinter(text, format(table.header()))) {
            csv.printRecords(table.rows());
        }
        return text.toString();
    }

    private static void writeJobs(Path file, List<Replay> replays) throws IOException {
        List<String> header = List.of(
                "policy",
                "job",
                "arrival",
                "first_start",
                "end",
                "restarts",
                "slot_seconds",
                "useful_slot_seconds",
                "lost_samples",
                "finish_time_fairness");
        try (CSVPrinter csv = open(file, header)) {
            for (Replay replay : replays) {
                for (JobOutcome job : replay.jobs()) {
                    csv.printRecord(
                            replay.policy(),
                            job.id(),
                            job.arrival(),
                            job.firstStart(),
                            job.end(),
                            job.restarts(),
                            job.slotSeconds(),
                            job.usefulSlotSeconds(),
                            job.lostSamples(),
                            job.fairness());
                }
            }
        }
    }

    private static void writeRounds(Path file, List<Replay> replays) throws IOException {
        List<String> header = List.of("policy", "time", "running", "waiting", "used_slots", "decision_seconds", "gap");
        try (CSVPrinter csv = open(file, header)) {
            for (Replay replay : replays) {
                for (RoundSample round : replay.rounds()) {
                    csv.printRecord(
                            replay.policy(),
                            round.time(),
                            round.running(),
                            round.waiting(),
                            round.usedSlots(),
                            round.decisionSeconds(),
                            round.gap());
                }
            }
        }
    }

    private static void writeAllocations(Path file, List<Replay> replays) throws IOException {
        List<String> header = List.of("policy", "job", "start", "end", "type", "slots", "batch_size", "nodes");
        try (CSVPrinter csv = open(file, header)) {
            for (Replay replay : replays) {
                for (AllocationInterval interval : replay.allocationIntervals()) {
                    var configuration = interval.allocation().configuration();
                    csv.printRecord(
                            replay.policy(),
                            interval.jobId(),
                            interval.start(),
                            interval.end(),
                            configuration.acceleratorType(),
                            configuration.slots(),
                            configuration.batchSize(),
                            nodes(interval));
                }
            }
        }
    }

    /** Returns the nodes with the slots on each: {@code a100-0:8 a100-1:4}. */
    static String nodes(AllocationInterval interval) {
        return interval.allocation().placement().stream()
                .map((NodeShare share) -> share.node() + ":" + share.slots())
                .collect(Collectors.joining(" "));
    }

    /**
     * Writes one JSON object: {@code trace}, and for each policy its {@code summary}, {@code jobs} and {@code rounds}.
     */
    public static void writeJson(Path file, List<Replay> replays) throws IOException {
        Map<String, Object> whole = Map.of(
                "trace",
                replays.isEmpty() ? "" : replays.get(0).trace(),
                "policies",
                replays.stream()
                        .map(replay -> Map.of(
                                "summary", Summary.of(replay),
                                "rejected", replay.rejected(),
                                "jobs", replay.jobs(),
                                "rounds", replay.rounds()))
                        .toList());
        Files.writeString(file, RoundJson.mapper().writeValueAsString(whole) + "\n");
    }

    private static CSVPrinter open(Path file, List<String> header) throws IOException {
        return new CSVPrinter(Files.newBufferedWriter(file), format(header));
    }

    private static CSVFormat format(List<String> header) {
        return CSVFormat.RFC4180
                .builder()
                .setHeader(header.toArray(String[]::new))
                .setRecordSeparator("\n")
                .get();
    }
}

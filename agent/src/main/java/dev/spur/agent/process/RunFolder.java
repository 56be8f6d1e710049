package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Folder of a run: its specification, and the records of the guard of each process.
 *
 * <pre>
 * run.json             the specification; written before its processes start
 * failed               a process failed without a request, so the others were stopped
 * warming              its processes wait until the file report/begin exists
 * oom                  the kernel killed a process for lack of memory
 * report/stop          a stop was requested; the reporter checks for it
 * report/asked         the reporter has stopped the training
 * report/progress.json progress of the training
 * report/directive     current batch, as JSON
 * report/aggregators   current shard locations, as JSON; only of runs with aggregators
 * report/begin         variables of the start, as JSON; only of runs that have waited for it
 * RANK/pid, RANK/exit, RANK/lapsed
 * RANK/ready           the process waits for the start
 * </pre>
 */
final class RunFolder {
    static final String EXIT = "exit";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path folder;

    RunFolder(Path folder) {
        this.folder = folder;
    }

    /** Identity of a guard process. */
    record Guard(long pid, long startTime) {}

    /** Creates the folder with the specification; an error leaves parts of it. */
    void create(RunSpec spec) {
        try {
            Files.createDirectories(report());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        spec.processes().forEach(process -> addProcess(process.rank()));
        write(spec);
    }

    /** Writes the specification, which names processes that have a folder. */
    void write(RunSpec spec) {
        SmallFile.write(folder.resolve("run.json"), JSON.writeValueAsString(spec));
    }

    /** Creates the folder of one more process. */
    void addProcess(int number) {
        try {
            Files.createDirectories(of(number));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the specification; empty if the run was not prepared completely. */
    Optional<RunSpec> spec() {
        return SmallFile.read(folder.resolve("run.json")).map(json -> JSON.readValue(json, RunSpec.class));
    }

    Path of(int rank) {
        return folder.resolve(Integer.toString(rank));
    }

    Path report() {
        return folder.resolve("report");
    }

    Path directive() {
        return report().resolve("directive");
    }

    Path aggregators() {
        return report().resolve("aggregators");
    }

    Path begin() {
        return report().resolve("begin");
    }

    /** Records that the processes wait for the start. */
    void markWarming() {
        SmallFile.write(folder.resolve("warming"), "");
    }

    boolean isWarming() {
        return Files.exists(folder.resolve("warming")) && !Files.exists(begin());
    }

    boolean isReady(int rank) {
        return Files.exists(of(rank).resolve("ready"));
    }

    void markStop(String reason) {
        SmallFile.write(report().resolve("stop"), reason);
    }

    boolean isMarkedStop() {
        return Files.exists(report().resolve("stop"));
    }

    /** Records that a process failed before a stop was requested. */
    void markFailed() {
        SmallFile.write(folder.resolve("failed"), "");
    }

    boolean isMarkedFailed() {
        return Files.exists(folder.resolve("failed"));
    }

    /** Returns the files that record a stop, whether they exist or not. */
    Stream<Path> stopMarks() {
        return Stream.of(folder.resolve("failed"), report().resolve("stop"), report().resolve("asked"));
    }

    void markOutOfMemory() {
        SmallFile.write(folder.resolve("oom"), "");
    }

    boolean isMarkedOutOfMemory() {
        return Files.exists(folder.resolve("oom"));
    }

    /** Records the exit code of a process that could not start. */
    void writeExit(int rank, int code) {
        SmallFile.write(of(rank).resolve(EXIT), Integer.toString(code));
    }

    boolean isStopRequested() {
        return Files.exists(report().resolve("asked"));
    }

    boolean hasLapsed(int rank) {
        return Files.exists(of(rank).resolve("lapsed"));
    }

    Optional<Guard> guard(int rank) {
        return SmallFile.read(of(rank).resolve("pid")).map(line -> {
            String[] fields = line.split(" ", -1);
            return new Guard(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        });
    }

    /** Returns the exit code of a process, 0 to 255; empty if none was recorded. */
    Optional<Integer> exit(int rank) {
        return SmallFile.read(of(rank).resolve(EXIT)).map(Integer::valueOf);
    }

    boolean isAlive(int rank) {
        return guard(rank)
                .map(guard -> {
                    OptionalLong start = ProcessTable.startTime(guard.pid());
                    return start.isPresent() && start.getAsLong() == guard.startTime();
                })
                .orElse(false);
    }

    void delete() {
        SmallFile.deleteTree(folder);
    }
}

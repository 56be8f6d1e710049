package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Folder of a run: its specification, and the records of the guard of each process.
 *
 * <pre>
 * run.json             the specification; written before its processes start
 * failed               a process failed without a request, so the others were stopped; with exit code
 *                      and cause if it is one of another run
 * warming              its processes wait until the file control/begin exists
 * oom                  the kernel killed a process for lack of memory
 * control/stop         a stop was requested; the reporter checks for it
 * control/directive    current batch, as JSON
 * control/aggregators  current shard locations, as JSON; only of runs with aggregators
 * control/loans        current remote memory, as JSON; only of preparations
 * control/loans.psk    keys of the remote memory
 * control/begin        variables of the start, as JSON; only of runs that have waited for it
 * report/progress.json progress of the training
 * report/asked         the reporter has stopped the training
 * report/*.new         space for these two, which the reporter overwrites and renames: the disk may then be full
 * report/ready-RANK    the process waits for the start
 * RANK/pid, RANK/exit, RANK/lapsed
 * RANK/environment     variables and working directory, as commands of a shell; only of runs of another user
 * </pre>
 *
 * <p>A job of another user owns the folder {@code report}. It can read the folders {@code control} and {@code RANK},
 * which only the agent can change, and no other user can enter the folder of the run.
 */
final class RunFolder {
    /** Process id and start time of a guard. */
    private static final Pattern GUARD = Pattern.compile("(\\d{1,18}) (\\d{1,18})\\s*");

    static final String EXIT = "exit";

    /** Bytes of a report, at most. */
    private static final int REPORT_BYTES = 4096;
    /** Files that the agent prepares in the folder of the reports. */
    private static final Map<String, String> REPORTS =
            Map.of("progress.json.new", " ".repeat(REPORT_BYTES), "asked.new", "");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path folder;

    RunFolder(Path folder) {
        this.folder = folder;
    }

    /** Identity of a guard process. */
    record Guard(long pid, long startTime) {}

    /** Creates the folder with the specification; an error leaves parts of it. */
    void create(RunSpec spec) {
        RunSpec.Owner owner = spec.owner();
        try {
            if (owner == null) {
                Files.createDirectories(report());
                for (Map.Entry<String, String> file : REPORTS.entrySet()) {
                    Files.writeString(report().resolve(file.getKey()), file.getValue());
                }
                Files.createDirectories(control());
            } else {
                Folders.createForGroup(owner.user(), folder, Folders.ENTER_BY_GROUP);
                Folders.createForGroup(owner.user(), control(), Folders.READ_BY_GROUP);
                Folders.createFor(owner.user(), report(), REPORTS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        spec.processes().forEach(process -> addProcess(spec, process.rank()));
        write(spec);
    }

    /** Writes the specification, which names processes that have a folder. */
    void write(RunSpec spec) {
        SmallFile.write(folder.resolve("run.json"), JSON.writeValueAsString(spec));
    }

    /** Creates the folder of one more process. */
    void addProcess(RunSpec spec, int number) {
        RunSpec.Owner owner = spec.owner();
        try {
            if (owner == null) {
                Files.createDirectories(of(number));
            } else if (!Files.exists(of(number))) {
                Folders.createForGroup(owner.user(), of(number), Folders.READ_BY_GROUP);
            }
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

    /** Returns the folder of the files that the agent writes for the processes. */
    Path control() {
        return folder.resolve("control");
    }

    Path directive() {
        return control().resolve("directive");
    }

    Path aggregators() {
        return control().resolve("aggregators");
    }

    Path loans() {
        return control().resolve("loans");
    }

    Path loanKeys() {
        return control().resolve("loans.psk");
    }

    Path environment(int rank) {
        return of(rank).resolve("environment");
    }

    Path begin() {
        return control().resolve("begin");
    }

    /** Records that the processes wait for the start. */
    void markWarming() {
        SmallFile.write(folder.resolve("warming"), "");
    }

    boolean isWarming() {
        return Files.exists(folder.resolve("warming")) && !Files.exists(begin());
    }

    boolean isReady(int rank) {
        return Files.exists(report().resolve("ready-" + rank), LinkOption.NOFOLLOW_LINKS);
    }

    void markStop(String reason) {
        SmallFile.writeShared(control().resolve("stop"), reason);
    }

    boolean isMarkedStop() {
        return Files.exists(control().resolve("stop"));
    }

    /** Records that a process failed before a stop was requested, with {@code cause} if it is one of another run. */
    void markFailed(String cause) {
        SmallFile.write(folder.resolve("failed"), cause);
    }

    /** Returns the cause of a failure; empty without a failure, blank for a failure of its own processes. */
    Optional<String> failure() {
        return SmallFile.read(folder.resolve("failed"));
    }

    /** Returns the files that record a stop, whether they exist or not. */
    Stream<Path> stopMarks() {
        return Stream.of(folder.resolve("failed"), control().resolve("stop"), report().resolve("asked"));
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
        return Files.exists(report().resolve("asked"), LinkOption.NOFOLLOW_LINKS);
    }

    boolean hasLapsed(int rank) {
        return Files.exists(of(rank).resolve("lapsed"));
    }

    /** Returns the guard; empty if it has not recorded itself, or was stopped while it did so. */
    Optional<Guard> guard(int rank) {
        return SmallFile.read(of(rank).resolve("pid"))
                .map(GUARD::matcher)
                .filter(Matcher::matches)
                .map(line -> new Guard(Long.parseLong(line.group(1)), Long.parseLong(line.group(2))));
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
        Folders.delete(folder);
    }
}

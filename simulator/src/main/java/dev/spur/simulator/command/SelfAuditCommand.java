package dev.spur.simulator.command;

import dev.spur.model.history.PastRange;
import dev.spur.model.json.JsonErrors;
import dev.spur.model.json.RoundJson;
import dev.spur.simulator.audit.AuditInput;
import dev.spur.simulator.audit.AuditResult;
import dev.spur.simulator.audit.PastRangeReplays;
import dev.spur.simulator.audit.SelfAudit;
import dev.spur.simulator.audit.SelfAuditReport;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.report.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;

/** {@code spur self-audit FILE}: reports lost completion time by cause. The exit code is 2 for an invalid file. */
@Command(
        name = "self-audit",
        description = "Print what completion times lost, by cause, in a range exported by GET /api/v1/outcomes/export.",
        mixinStandardHelpOptions = true)
public final class SelfAuditCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int BAD_FILE = 2;

    @Parameters(paramLabel = "FILE", description = "Exported range (JSON).")
    private Path file = Path.of("");

    @Option(
            names = "--round",
            paramLabel = "SECONDS",
            description = "Time between rounds (default: that of the service).")
    private @Nullable Double round;

    @Option(names = "--quiet", description = "Show no progress bar.")
    private boolean quiet;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the replays as CSV.")
    private @Nullable Path csv;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON.")
    private @Nullable Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (round != null && !(round > 0)) {
            throw new ParameterException(spec.commandLine(), "--round (%s) must be above 0.".formatted(round));
        }
        try {
            PastRange range = read(file);
            AuditInput input = PastRangeReplays.of(range, round == null ? range.roundSeconds() : round);
            write(SelfAuditReport.of(range, audit(input)));
            return FINE;
        } catch (NoSuchFileException exception) {
            printMessage("There is no file %s.".formatted(exception.getMessage()));
        } catch (IOException exception) {
            printMessage(String.valueOf(exception.getMessage()));
        }
        return BAD_FILE;
    }

    private static PastRange read(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            PastRange range = RoundJson.mapper().readValue(text, PastRange.class);
            SnapshotInput.requireValid(file, range.state());
            return range;
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not a range that GET /api/v1/outcomes/export returns: %s."
                            .formatted(file, JsonErrors.describe(exception)),
                    exception);
        }
    }

    private AuditResult audit(AuditInput input) {
        try (ProgressBar bar = new ProgressBar(spec.commandLine().getErr(), "self-audit", System::nanoTime)) {
            return SelfAudit.run(input, quiet ? ProgressListener.NONE : bar);
        }
    }

    private void write(SelfAuditReport report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println(report.text());
        out.flush();
        if (csv != null) {
            Files.writeString(csv, report.csv());
        }
        if (json != null) {
            Files.writeString(json, report.json());
        }
    }

    private void printMessage(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("spur: " + line);
        err.flush();
    }
}

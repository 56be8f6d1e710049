package dev.spur.service.operations.solve;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import dev.spur.policies.PolicyEntry;
import dev.spur.policies.PolicyRegistry;
import dev.spur.policies.monolithic.MpsExport;
import dev.spur.service.operations.solve.SnapshotFile.InvalidSnapshotException;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code spur solve FILE}: plans a round snapshot. Exits with 2 if the snapshot is invalid, and with 1 if the plan is
 * or the export fails.
 */
@Command(
        name = "solve",
        description = "Solve a saved snapshot of a round, as returned by GET /api/v1/rounds/{number}/snapshot.",
        mixinStandardHelpOptions = true)
public final class SolveCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int FAILURE = 1;
    private static final int INVALID_SNAPSHOT = 2;
    private static final String STANDARD_INPUT = "-";

    @Parameters(paramLabel = "FILE", description = "Snapshot file, JSON or gzipped JSON; - reads standard input.")
    private String file = STANDARD_INPUT;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description =
                    "spur: Lagrangian decomposition, then the restricted model; cp-sat, highs: the complete model with that solver; greedy: no solver;"
                            + " or any policy of ./spur simulate (default: ${DEFAULT-VALUE}).")
    private String policy = Policies.spur().name();

    @Option(names = "--json", description = "Print the plan as JSON, like the response of POST /api/v1/solve.")
    private boolean json;

    @Option(
            names = "--export",
            paramLabel = "FILE.mps",
            description = "Also write the integer program in MPS format. Further programs, such as those of lower"
                    + " priority classes, get -2, -3 and so on in the name.")
    private @Nullable Path export;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Policy chosen = selectedPolicy();
        requireExportable();
        try {
            RoundProblem problem = SnapshotFile.read(bytes());
            return export == null ? solve(problem, chosen) : solveAndExport(problem, export);
        } catch (InvalidSnapshotException bad) {
            bad.violations().forEach(violation -> printError("%s: %s".formatted(name(), violation)));
            return INVALID_SNAPSHOT;
        } catch (NoSuchFileException missing) {
            printError("There is no file %s.".formatted(file));
            return INVALID_SNAPSHOT;
        } catch (IOException unreadable) {
            printError("Cannot read %s: %s.".formatted(name(), unreadable.getMessage()));
            return INVALID_SNAPSHOT;
        }
    }

    private int solveAndExport(RoundProblem problem, Path target) {
        MpsExport programs = new MpsExport();
        int code = solve(problem, programs.policy());
        try {
            for (Path written : programs.write(target)) {
                printError("wrote %s".formatted(written));
            }
            return code;
        } catch (IOException unwritable) {
            printError(unwritable.getMessage() + ".");
            return FAILURE;
        }
    }

    private void requireExportable() {
        if (export != null && !export.toString().endsWith(MpsExport.SUFFIX)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "The name of the exported file is %s. It must end with %s.".formatted(export, MpsExport.SUFFIX));
        }
        if (export != null && !policy.equals(Policies.spur().name())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--export writes the program of the policy spur, and the policy is %s. Omit --policy."
                            .formatted(policy));
        }
    }

    private int solve(RoundProblem problem, Policy chosen) {
        RoundPlan plan = chosen.plan(problem);
        List<Violation> violations = PlanCheck.violations(problem, plan);
        if (!violations.isEmpty()) {
            printError("The plan validator rejected the plan; this is a defect of Spur:");
            violations.forEach(v -> printError("%s (%s): %s".formatted(v.rule(), v.subject(), v.message())));
            return FAILURE;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? RoundJson.write(plan) : new PlanText(plan).text());
        out.flush();
        return FINE;
    }

    private Policy selectedPolicy() {
        return PolicyRegistry.policy(policy)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "The policy %s does not exist; expected one of %s.".formatted(policy, names())));
    }

    private static String names() {
        return PolicyRegistry.all().stream().map(PolicyEntry::name).collect(Collectors.joining(", "));
    }

    private byte[] bytes() throws IOException {
        return file.equals(STANDARD_INPUT) ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
    }

    private String name() {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    private void printError(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("spur: " + line);
        err.flush();
    }
}

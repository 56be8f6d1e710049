package dev.spur.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** A command that sends requests to the service and prints the result. */
abstract class ServiceCommand implements Callable<Integer> {
    private static final int FINE = 0;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Spec
    private CommandSpec spec;

    /** Sends the requests and returns the formatted result, which ends with a line break. */
    abstract String answer(ServiceOptions service) throws InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        try {
            PrintWriter out = spec.commandLine().getOut();
            out.print(answer(service));
            out.flush();
            return FINE;
        } catch (CommandFailure failure) {
            spec.commandLine().getErr().println("spur: " + failure.getMessage());
            spec.commandLine().getErr().flush();
            return failure.exitCode();
        }
    }

    static String line(String text) {
        return text + System.lineSeparator();
    }

    static String json(JsonNode node) {
        return line(node.toPrettyString());
    }

    /** Returns the text of a member; a dash if it is null or missing. */
    static String text(JsonNode node) {
        return node.isNull() || node.isMissingNode() ? "-" : node.asString();
    }

    /** Formats a duration: 42 s, 17 min, 3.2 h, 2.1 d. */
    static String span(double seconds) {
        Duration duration = Duration.ofMillis(Math.round(seconds * 1000));
        if (duration.toSeconds() < 120) {
            return duration.toSeconds() + " s";
        }
        if (duration.toMinutes() < 120) {
            return duration.toMinutes() + " min";
        }
        double hours = duration.toMinutes() / 60.0;
        return hours < 48
                ? String.format(Locale.ROOT, "%.1f h", hours)
                : String.format(Locale.ROOT, "%.1f d", hours / 24);
    }
}

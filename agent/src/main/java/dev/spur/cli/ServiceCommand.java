package dev.spur.cli;

import java.io.PrintWriter;
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

    private int exitCode = FINE;

    /** Sends the requests and returns the result. */
    abstract CommandOutput execute(ServiceOptions service) throws InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        try {
            print(service, spec.commandLine().getOut());
            return exitCode;
        } catch (CommandFailure failure) {
            report(failure);
            return failure.exitCode();
        }
    }

    /** Reports a failure after which the command continues. The command ends with the exit code of the first one. */
    final void report(CommandFailure failure) {
        spec.commandLine().getErr().println("spur: " + failure.getMessage());
        spec.commandLine().getErr().flush();
        endWith(failure.exitCode());
    }

    /** Sets the exit code of the command, unless an earlier part of it has failed. */
    final void endWith(int code) {
        exitCode = exitCode == FINE ? code : exitCode;
    }

    /** Prints the result in the requested format. */
    void print(ServiceOptions from, PrintWriter out) throws InterruptedException {
        out.print(execute(from).in(from.format(), terminal()));
        out.flush();
    }

    final CommandSpec spec() {
        return spec;
    }

    final Terminal terminal() {
        return Terminal.current(spec.commandLine().getColorScheme().ansi());
    }

    static String line(String text) {
        return text + System.lineSeparator();
    }

    /** Returns the text of a member; a dash if it is null or missing. */
    static String text(JsonNode node) {
        return node.isNull() || node.isMissingNode() ? "-" : node.asString();
    }

    /** Returns a number with at most two decimal places; a dash if it is null or missing. */
    static String number(JsonNode node) {
        if (!node.isNumber()) {
            return "-";
        }
        double value = node.asDouble();
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.4g", value);
    }

    /** Returns a fraction in percent; a dash if it is null or missing. */
    static String percent(JsonNode node) {
        return node.isNumber() ? String.format(Locale.ROOT, "%.1f %%", 100 * node.asDouble()) : "-";
    }

    /** Formats a duration: 42 s, 17 min, 3.2 h, 2.1 d. */
    static String span(double seconds) {
        if (Math.round(seconds) < 120) {
            return Math.round(seconds) + " s";
        }
        if (Math.round(seconds / 60) < 120) {
            return Math.round(seconds / 60) + " min";
        }
        double hours = seconds / 3600;
        return hours < 48
                ? String.format(Locale.ROOT, "%.1f h", hours)
                : String.format(Locale.ROOT, "%.1f d", hours / 24);
    }
}

package dev.spur.cli;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** A command that reads from the service and changes nothing. */
abstract class ReadCommand extends ServiceCommand {
    private static final int PERIOD_SECONDS = 2;
    private static final String CLEAR = "\u001b[H\u001b[2J\u001b[3J";

    @Option(
            names = {"-w", "--watch"},
            description = "Repeat every 2 s until Ctrl-C.")
    private boolean watch;

    @Override
    void print(ServiceOptions from, PrintWriter out) throws InterruptedException {
        String before = "";
        do {
            String text = execute(from).in(from.format(), terminal());
            if (!text.equals(before)) {
                out.print((watch && terminal().ansi().enabled() ? CLEAR : "") + text);
                out.flush();
                before = text;
            }
            if (watch) {
                TimeUnit.SECONDS.sleep(PERIOD_SECONDS);
            }
        } while (watch);
    }
}

package dev.spur.service;

import dev.spur.service.startup.SpurProperties;
import dev.spur.service.startup.StartupFailure;
import dev.spur.service.startup.StartupMessage;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spur serve}: runs the service until the process is stopped. */
@Command(name = "serve", description = "Start the service.", mixinStandardHelpOptions = true)
final class ServeCommand implements Runnable {

    private static final String LOG_FORMAT = "SPUR_LOG_FORMAT";
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--demo",
            description =
                    "Create a synthetic cluster and jobs. Without SPUR_DATABASE_URL, their database is in SPUR_HOME/demo.")
    private boolean demo;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on (default: ${DEFAULT-VALUE}).")
    private int port = 8080;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
    private String bind = "127.0.0.1";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        if (port < 0 || port > MAX_PORT) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port %d is out of range; expected 1 to %d, or 0 for any free port.".formatted(port, MAX_PORT));
        }
        var address = address();
        requireFreePort(address);
        String[] settings = settings();
        SpurProperties.requireFreeHome(demo);
        if (!logsJson()) {
            // the format of the log is set only by Spring
            announceLine(SpurProperties.startLine(demo));
        }
        var application = new SpringApplication(SpurApplication.class);
        application.addListeners((ApplicationListener<ContextClosedEvent>) this::announceEnd);
        try {
            announce(address, application.run(settings));
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(ServeCommand.class).debug("The start failed", e);
            throw e;
        }
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new StartupFailure("--bind %s is not an address of this machine.".formatted(bind), e);
        }
    }

    /** Fails if the port is in use. Checked before the database starts, because that takes seconds. */
    private void requireFreePort(InetAddress address) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            boolean used = String.valueOf(e.getMessage()).contains("in use");
            throw new StartupFailure(
                    used
                            ? "Port %d is in use. Stop the program that uses it, or choose another one with --port."
                                    .formatted(port)
                            : "Cannot listen on %s, port %d: %s.".formatted(bind, port, e.getMessage()),
                    e);
        }
    }

    /** The options as Spring arguments, which take precedence over all other configuration sources. */
    private String[] settings() {
        var settings = new ArrayList<String>();
        settings.add("--server.address=" + bind);
        settings.add("--server.port=" + port);
        if (demo) {
            settings.add("--spur.demo=true");
        }
        if (logsJson()) {
            settings.add("--logging.structured.format.console=ecs");
        }
        return settings.toArray(String[]::new);
    }

    private void announce(InetAddress address, ConfigurableApplicationContext context) {
        context.getBeansOfType(StartupMessage.class).values().forEach(message -> {
            boolean isSecret = message.isSecret();
            message.lines().forEach(isSecret ? this::printToConsole : this::announceLine);
        });
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        String used = context.getEnvironment().getRequiredProperty("local.server.port");
        announceLine("Spur is ready: http://%s:%s  (API docs: /docs)"
                .formatted(host.contains(":") ? "[" + host + "]" : host, used));
    }

    private void announceEnd(ContextClosedEvent event) {
        boolean isChild = event.getApplicationContext().getParent() != null;
        if (!isChild) {
            announceLine("Spur stops ...");
        }
    }

    /** Prints a line, or logs it if the log is JSON. */
    private void announceLine(String line) {
        if (logsJson()) {
            LoggerFactory.getLogger(ServeCommand.class).info(line);
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    /** Prints a line to the console and never to the log: it may contain a secret. */
    private void printToConsole(String line) {
        PrintWriter out =
                logsJson() ? spec.commandLine().getErr() : spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private static boolean logsJson() {
        String format = System.getenv(LOG_FORMAT);
        if (format == null || format.isBlank() || format.equals("text")) {
            return false;
        }
        if (format.equals("json")) {
            return true;
        }
        throw new StartupFailure("%s is %s; expected text or json.".formatted(LOG_FORMAT, format));
    }
}

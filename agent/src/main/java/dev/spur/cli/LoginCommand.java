package dev.spur.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Command {@code spur login URL}. */
@Command(
        name = "login",
        description = {
            "Store the URL of a service and a token for the other commands, in a file that only you can read.",
            "The file is spur/login in XDG_CONFIG_HOME, by default ~/.config. SPUR_URL and SPUR_TOKEN precede it.",
            "The token is read from the terminal or from standard input; an empty line means none."
        },
        mixinStandardHelpOptions = true)
public final class LoginCommand implements Callable<Integer> {
    private static final int FINE = 0;

    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "URL of the service, such as https://spur.example.org.")
    private @Nullable String url;

    @Option(names = "--logout", description = "Delete the file.")
    private boolean logout;

    @Spec
    private CommandSpec spec;

    private final LoginFile file;

    /** Creates the command for the file of the user. */
    public LoginCommand() {
        this(LoginFile.ofUser(System.getenv()));
    }

    LoginCommand(LoginFile file) {
        this.file = file;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            out.println(logout ? logOut() : logIn());
            out.flush();
            return FINE;
        } catch (CommandFailure failure) {
            spec.commandLine().getErr().println("spur: " + failure.getMessage());
            spec.commandLine().getErr().flush();
            return failure.exitCode();
        }
    }

    private String logOut() {
        return file.delete() ? "Deleted %s.".formatted(file.path()) : "There is no file %s.".formatted(file.path());
    }

    private String logIn() throws InterruptedException {
        if (url == null) {
            throw CommandFailure.ofInput(
                    "No URL; state that of the service, such as ./spur login http://10.0.0.1:8080.");
        }
        ServiceTarget.of(url, Map.of("SPUR_TOKEN", "unused"), file);
        Optional<String> token = token();
        JsonNode caller = new ServiceOptions(url, token).get("/api/v1/whoami");
        file.write(new LoginFile.Login(url, token));
        return "Logged in to %s as %s (%s); stored in %s."
                .formatted(url, ServiceCommand.text(caller.path("name")), roles(caller), file.path());
    }

    private static String roles(JsonNode caller) {
        return String.join(
                ", ", caller.path("roles").valueStream().map(JsonNode::asString).toList());
    }

    /** From JDK 22 on there is always a console, which then reads the standard input. */
    @SuppressWarnings("SystemConsoleNull")
    private static Optional<String> token() {
        Console console = System.console();
        try {
            String line;
            if (console != null) {
                char[] typed = console.readPassword("Token (empty for none): ");
                line = typed == null ? "" : new String(typed);
            } else {
                String read = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
                line = read == null ? "" : read;
            }
            return Optional.of(line.strip()).filter(token -> !token.isEmpty());
        } catch (IOException unreadable) {
            throw CommandFailure.ofInput("The token cannot be read from standard input: " + unreadable.getMessage());
        }
    }
}

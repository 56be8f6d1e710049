package dev.spur.service.feeds;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.service.feeds.Receiver.Received;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The function {@code verify} of the guide on webhooks. */
final class PythonExample {
    private static final Path GUIDE = Path.of("../docs/how-to/webhooks.md");
    private static final Pattern CODE = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);

    private PythonExample() {}

    static boolean verifies(String secret, Received request) throws IOException, InterruptedException {
        Matcher code = CODE.matcher(Files.readString(GUIDE));
        if (!code.find()) {
            throw new IllegalStateException(GUIDE + " has no Python example");
        }
        String program = code.group(1) + """

                import sys
                secret, delivery, timestamp, signature = sys.argv[1:]
                headers = {"webhook-id": delivery, "webhook-timestamp": timestamp, "webhook-signature": signature}
                sys.exit(0 if verify(secret, headers, sys.stdin.buffer.read()) else 3)
                """;
        Process python;
        try {
            python = new ProcessBuilder(
                            "python3", "-c", program, secret, request.id(), request.timestamp(), request.signature())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, "python3 is missing, so the example of the guide is not executed");
            throw missing;
        }
        python.getOutputStream().write(request.body().getBytes(StandardCharsets.UTF_8));
        python.getOutputStream().close();
        int exit = python.waitFor();
        if (exit != 0 && exit != 3) {
            throw new AssertionError("python3 exited with " + exit);
        }
        return exit == 0;
    }
}

package dev.spur.connectors.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server on loopback that gives every request the same bad answer, and records the requests. */
public final class FaultyServer implements AutoCloseable {
    /** Writes one answer. */
    public interface Answer {
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

    private final ServerSocket socket;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch abandoned = new CountDownLatch(1);

    private FaultyServer(Answer answer) {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(() -> accept(answer));
    }

    /** A server with any answer. */
    public static FaultyServer with(Answer answer) {
        return new FaultyServer(answer);
    }

    /** Headers and 9 of 5,000 bytes, then nothing. */
    public static FaultyServer silentInTheBody() {
        return with(out -> {
            write(out, HEAD + "Content-Length: 5000\r\n\r\n{\"items\":");
            new CountDownLatch(1).await();
        });
    }

    /** One byte after the other, without an end. */
    public static FaultyServer trickling() {
        return with(out -> {
            write(out, HEAD + "Content-Length: 5000000\r\n\r\n");
            while (true) {
                write(out, " ");
                TimeUnit.MILLISECONDS.sleep(20);
            }
        });
    }

    /** 300 MB, whose length is announced or not. */
    public static FaultyServer huge(boolean announced) {
        byte[] part = new byte[1_000_000];
        Arrays.fill(part, (byte) ' ');
        return with(out -> {
            write(out, HEAD + (announced ? "Content-Length: 300000000\r\n\r\n" : "Connection: close\r\n\r\n"));
            for (int n = 0; n < 300; n++) {
                out.write(part);
            }
        });
    }

    /** A redirect of every request. */
    public static FaultyServer redirectingTo(URI other) {
        return with(out -> write(
                out, "HTTP/1.1 307 Temporary Redirect\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n".formatted(other)));
    }

    /** A body of any text with a status. */
    public static FaultyServer answering(int status, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return with(out -> {
            write(
                    out,
                    "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                            .formatted(status, bytes.length));
            out.write(bytes);
            out.flush();
        });
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** The requests so far, each with its headers. */
    public List<String> requests() {
        return requests;
    }

    /** True if a client closes a connection within some seconds, before its answer is complete. */
    public boolean isAbandoned() throws InterruptedException {
        return abandoned.await(20, TimeUnit.SECONDS);
    }

    private void accept(Answer answer) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                threads.execute(() -> serve(client, answer));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client, Answer answer) {
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            StringBuilder request = new StringBuilder();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                request.append(line).append('\n');
            }
            if (!request.isEmpty()) {
                requests.add(request.toString());
                answer.write(client.getOutputStream());
            }
        } catch (IOException gone) {
            abandoned.countDown();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}

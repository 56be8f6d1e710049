package dev.spur.service.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A piece of network between a client and a server on this machine: it can be cut, freeze, be slow, or lead elsewhere.
 */
public final class FaultInjectionProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile boolean cut;
    private volatile boolean frozen;
    private volatile long delayMillis;

    /** A wire to a port of this machine. */
    public FaultInjectionProxy(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** A wire to the server of a JDBC URL. */
    public static FaultInjectionProxy to(String jdbcUrl) {
        return new FaultInjectionProxy(portOf(jdbcUrl));
    }

    /** Port in a JDBC URL. */
    public static int portOf(String jdbcUrl) {
        return Integer.parseInt(jdbcUrl.replaceFirst(".*:(\\d+)/.*", "$1"));
    }

    /** The JDBC URL of the same database through this wire. */
    public String through(String jdbcUrl) {
        return jdbcUrl.replaceFirst(":\\d+/", ":" + port() + "/");
    }

    /** Where to connect instead of to the server. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Ends all connections and lets no new ones through. */
    public void cut() {
        cut = true;
        ends.forEach(FaultInjectionProxy::hangUp);
    }

    /** Carries nothing any more and tells nobody, as when a machine loses its power. */
    public void freeze() {
        frozen = true;
    }

    /** True while it carries nothing. */
    public boolean isFrozen() {
        return frozen;
    }

    /** Works again; what was held back is carried now. */
    public void mend() {
        cut = false;
        frozen = false;
    }

    /** Leads elsewhere from now on. */
    public void target(int port) {
        target = port;
    }

    /** Holds back everything that the server says, a piece at a time. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        ends.add(client);
        if (cut) {
            hangUp(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            ends.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            daemon(() -> carry(client, server, false));
            daemon(() -> carry(server, client, true));
        } catch (IOException nobodyThere) {
            hangUp(client);
        }
    }

    private void carry(Socket from, Socket to, boolean slow) {
        byte[] piece = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                if (slow && delayMillis > 0) {
                    TimeUnit.MILLISECONDS.sleep(delayMillis);
                }
                while (frozen) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                out.write(piece, 0, read);
                out.flush();
            }
        } catch (IOException gone) {
            // the other end learns of it below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            hangUp(from);
            hangUp(to);
            ends.remove(from);
            ends.remove(to);
        }
    }

    private static void hangUp(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "wire");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        ends.forEach(FaultInjectionProxy::hangUp);
    }
}

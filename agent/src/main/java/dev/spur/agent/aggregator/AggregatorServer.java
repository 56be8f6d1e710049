package dev.spur.agent.aggregator;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** TCP server of the aggregator. */
public final class AggregatorServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final ServerSocket server;
    private final AggregatorMetrics meter = new AggregatorMetrics();
    private final ShardRegistry board = new ShardRegistry(meter);
    private final Set<SocketWorkerConnection> connections = ConcurrentHashMap.newKeySet();

    private AggregatorServer(ServerSocket server) {
        this.server = server;
    }

    /**
     * Starts a server on {@code port} of all addresses; 0 selects a free port.
     *
     * @throws IOException if it cannot listen
     */
    public static AggregatorServer start(int port) throws IOException {
        AggregatorServer started = new AggregatorServer(new ServerSocket(port, BACKLOG));
        start("accept", started::accept);
        return started;
    }

    int port() {
        return server.getLocalPort();
    }

    /** Replaces the content of the aggregator. */
    public void set(Content content) {
        board.set(content);
    }

    /** Returns the counts since the start. */
    public Counts counts() {
        return meter.read();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                SocketWorkerConnection connection = new SocketWorkerConnection(socket, board, meter);
                connections.add(connection);
                start("worker", () -> {
                    connection.serve();
                    connections.remove(connection);
                });
            }
        } catch (IOException closed) {
            connections.forEach(SocketWorkerConnection::closeQuietly);
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        connections.forEach(SocketWorkerConnection::closeQuietly);
    }
}

package dev.spur.agent.aggregator;

import dev.spur.agent.aggregator.Frame.Hello;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Connection to a worker, with one thread for reading and one for writing, so that a slow worker delays only itself.
 */
final class SocketWorkerConnection implements WorkerConnection {
    private static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final ShardRegistry board;
    private final AggregatorMetrics meter;
    private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();

    SocketWorkerConnection(Socket socket, ShardRegistry board, AggregatorMetrics meter) {
        this.socket = socket;
        this.board = board;
        this.meter = meter;
    }

    @Override
    public void send(byte[] frame) {
        outgoing.add(frame);
    }

    /** Serves the worker until it disconnects. */
    void serve() {
        Thread writer = null;
        try (socket) {
            socket.setTcpNoDelay(true);
            var from = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
            Hello hello = Hello.read(from);
            writer = new Thread(() -> write(hello), "writer");
            writer.setDaemon(true);
            writer.start();
            while (true) {
                take(hello, from);
            }
        } catch (IOException gone) {
            // the worker reconnects if necessary
            if (writer != null) {
                writer.interrupt();
            }
        }
    }

    private void take(Hello hello, DataInputStream from) throws IOException {
        long before = AggregatorMetrics.cpuNanos();
        Frame frame = Frame.read(from);
        board.take(hello, frame, this);
        meter.recordCpuTime(hello.key(frame.shard()), AggregatorMetrics.cpuNanos() - before);
    }

    private void write(Hello hello) {
        try {
            OutputStream to = socket.getOutputStream();
            while (true) {
                byte[] frame = outgoing.take();
                long before = AggregatorMetrics.cpuNanos();
                to.write(frame);
                meter.recordCpuTime(hello.key(Frame.shard(frame)), AggregatorMetrics.cpuNanos() - before);
            }
        } catch (IOException | InterruptedException gone) {
            closeQuietly();
        }
    }

    void closeQuietly() {
        try {
            socket.close();
        } catch (IOException already) {
            // the connection is closed already
        }
    }
}

package dev.spur.agent.aggregator;

import dev.spur.agent.aggregator.Frame.Hello;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A worker that is connected, with a thread that reads and one that writes: so a worker that does not read holds up nobody but itself. */
final class Connection implements Peer {
    private static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final Board board;
    private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();

    Connection(Socket socket, Board board) {
        this.socket = socket;
        this.board = board;
    }

    @Override
    public void send(byte[] frame) {
        outgoing.add(frame);
    }

    /** Serves the worker until it goes. */
    void serve() {
        Thread writer = new Thread(this::write, "writer");
        writer.setDaemon(true);
        try (socket) {
            socket.setTcpNoDelay(true);
            var from = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
            Hello hello = Hello.read(from);
            writer.start();
            while (true) {
                board.take(hello, Frame.read(from), this);
            }
        } catch (IOException gone) {
            // It comes again if it wants anything.
            writer.interrupt();
        }
    }

    private void write() {
        try {
            OutputStream to = socket.getOutputStream();
            while (true) {
                to.write(outgoing.take());
            }
        } catch (IOException | InterruptedException gone) {
            closeQuietly();
        }
    }

    void closeQuietly() {
        try {
            socket.close();
        } catch (IOException already) {
            // There is nothing left to do with it.
        }
    }
}

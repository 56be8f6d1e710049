package dev.spur.agent.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Reads the end of a growing log, and then its new output. Each call reads a limited number of bytes, whatever the size
 * of the log: what exceeds it is skipped. Not thread-safe.
 */
public final class OutputReader {
    /** Bytes that are read in addition, because some are discarded. Longer secrets may be masked in part only. */
    private static final int MARGIN = 16 << 10;

    private static final byte FEED = '\n';

    private final Path file;
    private final Path earlier;
    private final SecretMask mask;
    private boolean started;
    private long position;
    /** True if the position is within a line whose start was already returned. */
    private boolean withinLine;

    /**
     * Creates a reader.
     *
     * @param file log
     * @param earlier earlier part of the log after a rotation
     */
    public OutputReader(Path file, Path earlier, SecretMask mask) {
        this.file = file;
        this.earlier = earlier;
        this.mask = mask;
    }

    /** Returns true if an earlier call has returned output, so that the next one continues it. */
    public boolean hasBegun() {
        return started;
    }

    /**
     * Returns the lines since the previous call, and at the first call the last lines.
     *
     * @param max maximum number of characters
     * @param ended true if the process has ended, so that an incomplete last line is returned too
     * @throws IOException if the log cannot be read
     */
    public String next(int max, boolean ended) throws IOException {
        long size = size(file);
        if (size < position) {
            // the log was rotated: what its earlier part had in addition is skipped
            position = 0;
            withinLine = false;
        }
        int window = max + MARGIN;
        long skipped = started ? Math.max(0, size - position - window) : 0;
        long from = started ? position + skipped : Math.max(0, size - window);
        byte[] bytes = read(file, from, (int) (size - from));
        boolean cut = started ? skipped > 0 : from > 0;
        if (!started && from == 0) {
            byte[] before = lastBytes(earlier, window - bytes.length);
            cut = before.length > 0;
            position = -before.length;
            bytes = concatenate(before, bytes);
        } else {
            position = from;
        }
        started = true;
        String note = skipped > 0 ? "[spur: %d bytes of output skipped]\n".formatted(skipped) : "";
        return note + last(lines(bytes, cut, ended), max);
    }

    /**
     * Returns the lines of {@code bytes}, and moves the position behind them.
     *
     * @param cut true if {@code bytes} may begin within a line whose start was not read
     */
    private String lines(byte[] bytes, boolean cut, boolean ended) {
        int firstFeed = indexOf(bytes, FEED);
        int lastFeed = lastIndexOf(bytes, FEED);
        if (firstFeed < 0 && withinLine && !cut) {
            position += bytes.length;
            return "";
        }
        int begin = (cut || withinLine) && firstFeed >= 0 ? firstFeed + 1 : 0;
        // a secret whose start was not read cannot be masked
        int discarded = cut && firstFeed < 0 ? mask.longest() : 0;
        if (ended || lastFeed >= begin) {
            int end = ended ? bytes.length : lastFeed + 1;
            withinLine = false;
            position += end;
            return OutputText.cut(without(discarded, OutputText.of(bytes, begin, end, mask)));
        }
        if (bytes.length - begin < 2 * MARGIN) {
            // the rest of the line is awaited, unless it was cut
            position += begin;
            withinLine &= begin == 0;
            return "";
        }
        withinLine = true;
        position += bytes.length;
        return OutputText.head(without(discarded, OutputText.of(bytes, begin, bytes.length, mask)));
    }

    private static String without(int discarded, String text) {
        return discarded == 0 ? text : text.substring(Math.min(discarded, text.length()));
    }

    /** Returns the last {@code max} characters, without an incomplete first line if there are several. */
    private static String last(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int from = text.length() - max;
        int feed = text.indexOf(FEED, from - 1);
        return text.substring(feed >= 0 && feed < text.length() - 1 ? feed + 1 : OutputText.whole(text, from));
    }

    private static long size(Path log) throws IOException {
        try {
            return Files.size(log);
        } catch (NoSuchFileException missing) {
            return 0;
        }
    }

    private static byte[] lastBytes(Path log, int max) throws IOException {
        long size = size(log);
        int count = (int) Math.min(size, Math.max(0, max));
        return read(log, size - count, count);
    }

    /** Reads up to {@code count} bytes; fewer if the log was truncated in the meantime. */
    private static byte[] read(Path log, long from, int count) throws IOException {
        if (count == 0) {
            return new byte[0];
        }
        ByteBuffer buffer = ByteBuffer.allocate(count);
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            int read = 0;
            while (buffer.hasRemaining() && read >= 0) {
                read = channel.read(buffer, from + buffer.position());
            }
        } catch (NoSuchFileException missing) {
            // the log was deleted in the meantime
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static byte[] concatenate(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static int indexOf(byte[] bytes, byte value) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == value) {
                return i;
            }
        }
        return -1;
    }

    private static int lastIndexOf(byte[] bytes, byte value) {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == value) {
                return i;
            }
        }
        return -1;
    }
}

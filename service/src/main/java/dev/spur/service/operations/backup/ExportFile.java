package dev.spur.service.operations.backup;

import dev.spur.model.json.RoundJson;
import dev.spur.service.security.Sha256;
import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import tools.jackson.core.JacksonException;

/** Verified export file: each table has the rows and the digest of the manifest. */
public final class ExportFile implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int LARGEST_MANIFEST = 1 << 20;

    private final Path path;
    private final ZipFile zip;
    private final Manifest manifest;

    private ExportFile(Path path, ZipFile zip, Manifest manifest) {
        this.path = path;
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Opens an export and verifies all of it.
     *
     * @throws StartupFailure if the file is missing, incomplete, or of an unknown format
     */
    public static ExportFile open(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new StartupFailure("There is no file %s.".formatted(path));
        }
        ZipFile zip = null;
        boolean whole = false;
        try {
            zip = new ZipFile(path.toFile());
            ExportFile file = new ExportFile(path, zip, manifest(path, zip));
            for (Manifest.Part part : file.manifest.tables()) {
                file.check(part);
            }
            whole = true;
            return file;
        } catch (IOException | JacksonException | IllegalArgumentException e) {
            throw new StartupFailure("%s is not a complete export: %s".formatted(path, firstLine(e)), e);
        } finally {
            if (zip != null && !whole) {
                close(zip);
            }
        }
    }

    /** Returns the manifest. */
    public Manifest manifest() {
        return manifest;
    }

    /** Returns the rows of a table. */
    InputStream rows(Manifest.Part part) throws IOException {
        return zip.getInputStream(entry(zip, part.entry()));
    }

    @Override
    public void close() {
        close(zip);
    }

    /**
     * Reads the manifest. The manifest contains the digests of the tables. Its own digest is only in the directory of
     * the file, so it is verified here.
     */
    private static Manifest manifest(Path path, ZipFile zip) throws IOException {
        ZipEntry entry = entry(zip, Manifest.ENTRY);
        byte[] json;
        try (InputStream in = zip.getInputStream(entry)) {
            json = in.readNBytes(LARGEST_MANIFEST);
        }
        CRC32 sum = new CRC32();
        sum.update(json);
        if (sum.getValue() != entry.getCrc()) {
            throw new IOException("the manifest is damaged");
        }
        int format = RoundJson.mapper().readTree(json).path("format").asInt(0);
        if (format != Manifest.FORMAT) {
            throw new StartupFailure(
                    "%s has format %d, this Spur reads format %d. Restore it with the Spur that wrote it."
                            .formatted(path, format, Manifest.FORMAT));
        }
        return RoundJson.mapper().readValue(json, Manifest.class);
    }

    private void check(Manifest.Part part) throws IOException {
        MessageDigest digest = Sha256.digest();
        long rows = 0;
        byte[] piece = new byte[BUFFER];
        try (InputStream in = rows(part)) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                digest.update(piece, 0, read);
                for (int i = 0; i < read; i++) {
                    rows += piece[i] == '\n' ? 1 : 0;
                }
            }
        }
        if (rows != part.rows() || !HexFormat.of().formatHex(digest.digest()).equals(part.sha256())) {
            throw new IOException("table %s is damaged".formatted(part.name()));
        }
    }

    private static ZipEntry entry(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new IOException(name + " is missing");
        }
        return entry;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static void close(ZipFile zip) {
        try {
            zip.close();
        } catch (IOException e) {
            throw new IllegalStateException("a file opened for reading cannot be closed", e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

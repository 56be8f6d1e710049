package dev.spur.service.plans;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.security.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Snapshot of a round: compressed JSON, with the hash of that JSON. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredSnapshot(byte[] gzip, String hash) {
    /** Compresses {@code problem}. */
    public static StoredSnapshot of(RoundProblem problem) {
        byte[] json = RoundJson.write(problem).getBytes(StandardCharsets.UTF_8);
        var bytes = new ByteArrayOutputStream(json.length / 8 + 64);
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new StoredSnapshot(bytes.toByteArray(), hash(json));
    }

    /** Returns the JSON of compressed bytes. */
    public static byte[] json(byte[] gzip) {
        try (var unzip = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return unzip.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException("the snapshot of a round cannot be read", broken);
        }
    }

    private static String hash(byte[] json) {
        return HexFormat.of().formatHex(Sha256.of(json));
    }
}

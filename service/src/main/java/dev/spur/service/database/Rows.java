package dev.spur.service.database;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts column values to domain types. */
public final class Rows {
    private Rows() {}

    public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Returns seconds since 1970 with microsecond resolution. */
    public static @Nullable Double seconds(ResultSet row, String column) throws SQLException {
        Instant time = instant(row, column);
        return time == null ? null : seconds(time);
    }

    public static double seconds(Instant time) {
        return time.getEpochSecond() + time.getNano() / 1e9;
    }

    public static double secondsOf(ResultSet row, String column) throws SQLException {
        Double time = seconds(row, column);
        if (time == null) {
            throw new SQLException("column %s is null".formatted(column));
        }
        return time;
    }

    public static List<String> strings(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static @Nullable List<String> strings(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? null : List.of((String[]) array.getArray());
    }

    public static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    /** Returns the value of a {@code timestamptz} parameter. */
    public static @Nullable Object utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }
}

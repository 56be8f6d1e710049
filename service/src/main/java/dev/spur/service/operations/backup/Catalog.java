package dev.spur.service.operations.backup;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Queries of the database catalog. */
final class Catalog {
    /**
     * Selects the tables, each after those that it refers to. A table may refer to itself, since it is copied in one
     * statement.
     */
    private static final String TABLES = """
            with recursive tables as (
                select oid as id, relname as name from pg_class
                where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'flyway_schema_history'),
            depths as (
                select id, 0 as depth from tables
                union
                select conrelid, depth + 1 from depths join pg_constraint on confrelid = id
                where contype = 'f' and conrelid <> confrelid and depth < 100)
            select name, array_agg(attname::text order by attnum) as columns
            from tables join pg_attribute on attrelid = id and attnum > 0 and not attisdropped and attgenerated = ''
            group by id, name
            order by (select max(depth) from depths where depths.id = tables.id), name
            """;

    private final Connection connection;

    Catalog(Connection connection) {
        this.connection = connection;
    }

    /**
     * Table of an export.
     *
     * @param columns its columns without generated ones
     */
    record BackupTable(String name, List<String> columns) {
        BackupTable {
            columns = List.copyOf(columns);
        }

        /** Returns its name as a quoted SQL identifier. */
        String quote() {
            return quote(name);
        }

        /** Returns its name and columns as SQL. */
        String withColumns() {
            return columns.stream().map(BackupTable::quote).collect(Collectors.joining(", ", quote() + " (", ")"));
        }

        private static String quote(String identifier) {
            return '"' + identifier.replace("\"", "\"\"") + '"';
        }
    }

    /** Returns the tables of Spur, each after those that it refers to. */
    List<BackupTable> tables() throws SQLException {
        List<BackupTable> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(TABLES)) {
            while (row.next()) {
                String[] columns = (String[]) row.getArray("columns").getArray();
                tables.add(new BackupTable(row.getString("name"), List.of(columns)));
            }
        }
        return tables;
    }

    /** Returns the sequences that have issued a number. */
    List<Manifest.Counter> sequences() throws SQLException {
        List<Manifest.Counter> sequences = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select sequencename, last_value from pg_sequences
                        where schemaname = current_schema() and last_value is not null order by sequencename
                        """)) {
            while (row.next()) {
                sequences.add(new Manifest.Counter(row.getString("sequencename"), row.getLong("last_value")));
            }
        }
        return sequences;
    }

    /**
     * Returns true if the database has no objects that could conflict with a restore. Objects of extensions do not
     * count.
     */
    boolean isEmpty() throws SQLException {
        return !isTrue("""
                select exists (select from pg_class c
                    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
                      and not exists (select from pg_depend where objid = c.oid and deptype = 'e'))
                """);
    }

    /** Returns true if the database contains the schema of Spur. */
    boolean hasSchema() throws SQLException {
        return isTrue("select to_regclass('flyway_schema_history') is not null");
    }

    /** Returns the version of the schema. */
    String schemaVersion() throws SQLException {
        return text("""
                select version from flyway_schema_history where success and version is not null
                order by installed_rank desc limit 1
                """);
    }

    /** Returns the start of the transaction, by the clock of the database. */
    Instant now() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select now()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    private boolean isTrue(String question) throws SQLException {
        return text(question).equals("t");
    }

    private String text(String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return Objects.requireNonNull(row.getString(1), question);
        }
    }
}

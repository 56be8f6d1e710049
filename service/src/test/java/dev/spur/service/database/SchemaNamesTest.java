package dev.spur.service.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.language.Passage;
import dev.spur.service.language.Prose;
import dev.spur.service.language.Vocabulary;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The names and comments of the database schema: terms of the field, American spelling, one comment for each table. */
class SchemaNamesTest {
    /** Whole names that are metaphors, participles or prepositions. The words are fine in comments and longer names. */
    private static final Set<String> DENIED_NAMES =
            Set.of("figures", "given", "go", "granted", "leaving", "mark", "met", "over", "portions", "proof", "since");

    /** Every name that a migration chooses, with the object that it belongs to. */
    private static final String NAMES = """
            select relname, relname from pg_class
                where relnamespace = 'public'::regnamespace and relkind in ('r', 'i', 'S', 'v', 'm')
            union all
            select c.relname || '.' || a.attname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
            union all
            select proname || '()', proname from pg_proc where pronamespace = 'public'::regnamespace
            union all
            select p.proname || '(' || argument || ')', argument from pg_proc p, unnest(p.proargnames) argument
                where p.pronamespace = 'public'::regnamespace
            union all
            select 'trigger ' || t.tgname, t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
                where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
            union all
            select 'constraint ' || conname, conname from pg_constraint where connamespace = 'public'::regnamespace
            """;

    /** Every comment, with the table, column or sequence that it belongs to. */
    private static final String COMMENTS = """
            select c.relname || coalesce('.' || a.attname, ''), d.description
            from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
            left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
            where c.relnamespace = 'public'::regnamespace
            """;

    private static TestDatabase database;

    private record Row(String object, String text) {}

    @BeforeAll
    static void create() {
        database = TestDatabase.migrated();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @Test
    void namesUseTheTermsOfTheField() throws SQLException {
        List<Row> names = read(NAMES);

        assertThat(names).hasSizeGreaterThan(500);
        assertThat(names).allSatisfy(name -> {
            assertThat(Vocabulary.deniedIn(name.text())).as(name.object()).isEmpty();
            assertThat(DENIED_NAMES).as(name.object()).doesNotContain(name.text());
        });
    }

    @Test
    void commentsUseTheTermsOfTheFieldInShortSentences() throws SQLException {
        List<Row> comments = read(COMMENTS);

        assertThat(comments).hasSizeGreaterThan(150);
        assertThat(comments).allSatisfy(comment -> {
            assertThat(Vocabulary.deniedIn(comment.text())).as(comment.object()).isEmpty();
            assertThat(Prose.violations(new Passage(comment.object(), comment.text())))
                    .isEmpty();
            assertThat(comment.text()).as(comment.object()).matches("(?s).*[.\\]]");
        });
    }

    @Test
    void everyTableHasAComment() throws SQLException {
        assertThat(read("""
                select relname, '' from pg_class
                where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'flyway_schema_history'
                    and obj_description(oid, 'pg_class') is null
                """)).isEmpty();
    }

    /** A number needs a unit, and a document, an array or an interval needs a description of its content. */
    @Test
    void everyMeasureAndEveryDocumentHasAComment() throws SQLException {
        assertThat(read("""
                select c.relname || '.' || a.attname, '' from pg_attribute a join pg_class c on c.oid = a.attrelid
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'flyway_schema_history'
                    and a.attnum > 0 and not a.attisdropped and col_description(c.oid, a.attnum) is null
                    and a.atttypid::regtype in ('double precision', 'jsonb', 'bytea', 'text[]', 'interval')
                """)).isEmpty();
    }

    private static List<Row> read(String sql) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            while (row.next()) {
                rows.add(new Row(row.getString(1), row.getString(2)));
            }
        }
        return rows;
    }
}

package dev.spur.service.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.database.postgres.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class RecordMapperTest {
    private static TestDatabase database;
    private static JdbcClient jdbc;

    private enum Color {
        RED
    }

    private record Scalars(
            String text, int whole, long big, double real, boolean yes, Instant at, double seconds, Color color) {}

    private record Optionals(
            @Nullable String text,
            @Nullable Integer whole,
            @Nullable Double real,
            @Nullable Boolean yes,
            @Nullable Instant at,
            @Nullable List<String> names) {}

    private record Collections(List<String> names, Map<String, List<Integer>> sizes) {}

    private record Memory(double memoryGiB, @Nullable Integer maxSlots) {}

    private record Nested(String name, Memory memory) {}

    private record OptionalPart(String name, @Nullable Memory memory) {}

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
        jdbc = JdbcClient.create(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static <R extends Record> List<R> rows(String sql, Class<R> type) {
        return jdbc.sql(sql).query(RecordMapper.of(type)).list();
    }

    @Test
    void aComponentHasTheValueOfTheColumnOfItsName() {
        assertThat(rows("""
                        select 'a' as text, 1 as whole, 2::bigint as big, 0.5::double precision as real, true as yes,
                            to_timestamp(1.5) as at, to_timestamp(2.5) as seconds, 'RED' as color
                        """, Scalars.class))
                .containsExactly(new Scalars("a", 1, 2, 0.5, true, Instant.ofEpochMilli(1500), 2.5, Color.RED));
    }

    @Test
    void aNameWithCapitalLettersIsThatOfAColumnWithUnderscores() {
        assertThat(rows("select 80.0::double precision as memory_gib, 4 as max_slots", Memory.class))
                .containsExactly(new Memory(80, 4));
    }

    @Test
    void aNullableComponentMayBeNull() {
        assertThat(rows("""
                        select null::text as text, null::integer as whole, null::double precision as real,
                            null::boolean as yes, null::timestamptz as at, null::text[] as names
                        """, Optionals.class)).containsExactly(new Optionals(null, null, null, null, null, null));
    }

    @Test
    void arraysAndJsonBecomeCollections() {
        assertThat(rows("select array['b', 'a'] as names, '{\"x\": [1, 2]}'::jsonb as sizes", Collections.class))
                .containsExactly(new Collections(List.of("b", "a"), Map.of("x", List.of(1, 2))));
    }

    @Test
    void aRecordWithoutAColumnConsistsOfColumns() {
        assertThat(rows(
                        "select 'n' as name, 1.0::double precision as memory_gib, null::int as max_slots",
                        Nested.class))
                .containsExactly(new Nested("n", new Memory(1, null)));
    }

    @Test
    void aNullableRecordIsNullWhereAllItsColumnsAre() {
        assertThat(rows("""
                        select 'a' as name, null::double precision as memory_gib, null::int as max_slots
                        union all select 'b', 2, null order by name
                        """, OptionalPart.class))
                .containsExactly(new OptionalPart("a", null), new OptionalPart("b", new Memory(2, null)));
    }

    @Test
    void nullInAComponentThatIsNotNullableIsAnErrorWithTheColumn() {
        assertThatThrownBy(() -> rows("select null::text[] as names, '{}'::jsonb as sizes", Collections.class))
                .hasRootCauseMessage("column names is null, which Collections does not allow");
    }

    @Test
    void aMissingColumnIsAnErrorWithItsName() {
        assertThatThrownBy(() -> rows("select 1 as other", Collections.class))
                .hasRootCauseMessage("there is no column names among [other]");
    }

    @Test
    void parametersAreReadAsTheSameRecord() {
        Collections value = new Collections(List.of("a", "b"), Map.of("c", List.of(1, 2)));

        assertThat(jdbc.sql("select cast(:names as text[]) as names, cast(:sizes as jsonb) as sizes")
                        .params(RecordMapper.parameters(value, List.of("names", "sizes")))
                        .query(RecordMapper.of(Collections.class))
                        .single())
                .isEqualTo(value);
    }

    @Test
    void parametersContainTheColumnsOfANestedRecord() {
        List<String> columns = List.of("name", "memory_gib", "max_slots");

        assertThat(RecordMapper.parameters(new Nested("n", new Memory(80, 4)), columns))
                .isEqualTo(Map.of("name", "n", "memory_gib", 80.0, "max_slots", 4));
        assertThat(RecordMapper.parameters(new OptionalPart("n", null), columns))
                .containsEntry("memory_gib", null)
                .containsEntry("max_slots", null);
    }

    @Test
    void aColumnWithoutAComponentIsRejected() {
        assertThatThrownBy(() -> RecordMapper.parameters(new Memory(80, 4), List.of("memory_gib", "other")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other");
    }
}

package dev.spur.service.database;

import dev.spur.model.json.RoundJson;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.util.ReflectionUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Maps the rows of one query to records. A component has the value of the column of its name: {@code memoryGiB} that of
 * {@code memory_gib}. A component without a column is a record of columns of the row; a nullable one is null where all
 * of them are.
 *
 * <p>A time in a component of type double is in seconds since 1970. Null in a component of a primitive type is 0 or
 * false. Types without a counterpart in SQL are read from JSON, and {@link StoredJson} when its value is needed.
 */
public final class RecordMapper<R extends Record> implements RowMapper<R> {
    private static final JsonMapper JSON = RoundJson.mapper();

    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return RecordShape.of(type);
        }
    };

    private final Class<R> type;
    private Map<String, Integer> columns = Map.of();

    private RecordMapper(Class<R> type) {
        this.type = type;
    }

    /** The mapper for one query. */
    public static <R extends Record> RecordMapper<R> of(Class<R> type) {
        return new RecordMapper<>(type);
    }

    /**
     * Returns the values of columns of a record as parameters of a statement, by column: the inverse of the mapping.
     *
     * @throws IllegalArgumentException if the record has no component for a column
     */
    public static Map<String, @Nullable Object> parameters(Record value, Collection<String> columns) {
        Map<String, String> names = new HashMap<>();
        columns.forEach(column -> names.put(normalize(column), column));
        Map<String, @Nullable Object> parameters = new HashMap<>();
        addParameters(value.getClass(), value, names, parameters);
        if (!parameters.keySet().containsAll(columns)) {
            throw new IllegalArgumentException("%s has no component for one of the columns %s"
                    .formatted(value.getClass().getSimpleName(), columns));
        }
        return parameters;
    }

    private static void addParameters(
            Class<?> type,
            @Nullable Object value,
            Map<String, String> names,
            Map<String, @Nullable Object> parameters) {
        for (Component component : SHAPES.get(type).components()) {
            Object part = value == null ? null : ReflectionUtils.invokeMethod(component.accessor(), value);
            String column = names.get(component.name());
            if (column != null) {
                parameters.put(column, parameter(part, component.genericType()));
            } else if (component.type().isRecord()) {
                addParameters(component.type(), part, names, parameters);
            }
        }
    }

    private static @Nullable Object parameter(@Nullable Object value, Type type) {
        if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value;
        } else if (value instanceof Instant time) {
            return Rows.utc(time);
        } else if (value instanceof Enum<?> constant) {
            return constant.name();
        } else if (value instanceof Collection<?> texts
                && type instanceof ParameterizedType of
                && of.getActualTypeArguments()[0] == String.class) {
            return texts.toArray(String[]::new);
        }
        return new SqlParameterValue(Types.OTHER, JSON.writeValueAsString(value));
    }

    private record Component(String name, Class<?> type, Type genericType, boolean nullable, Method accessor) {}

    private record RecordShape(Constructor<?> constructor, List<Component> components) {
        static RecordShape of(Class<?> type) {
            List<Component> components = Arrays.stream(type.getRecordComponents())
                    .map(part -> new Component(
                            normalize(part.getName()),
                            part.getType(),
                            part.getGenericType(),
                            part.getAnnotatedType().isAnnotationPresent(Nullable.class),
                            accessible(part.getAccessor())))
                    .toList();
            Class<?>[] types = components.stream().map(Component::type).toArray(Class<?>[]::new);
            try {
                return new RecordShape(type.getDeclaredConstructor(types), components);
            } catch (NoSuchMethodException impossible) {
                throw new IllegalStateException("every record has a canonical constructor", impossible);
            }
        }

        private static Method accessible(Method accessor) {
            ReflectionUtils.makeAccessible(accessor);
            return accessor;
        }
    }

    /** @throws SQLException if a column is missing, or is null where the component is not nullable */
    @Override
    public R mapRow(ResultSet row, int index) throws SQLException {
        if (index == 0 || columns.isEmpty()) {
            columns = columns(row.getMetaData());
        }
        return type.cast(read(row, type));
    }

    private static Map<String, Integer> columns(ResultSetMetaData row) throws SQLException {
        Map<String, Integer> columns = new HashMap<>();
        for (int i = 1; i <= row.getColumnCount(); i++) {
            columns.put(normalize(row.getColumnLabel(i)), i);
        }
        return columns;
    }

    private static String normalize(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private Object read(ResultSet row, Class<?> record) throws SQLException {
        RecordShape shape = SHAPES.get(record);
        Object[] values = new Object[shape.components().size()];
        for (int i = 0; i < values.length; i++) {
            Component component = shape.components().get(i);
            values[i] = read(row, component);
            if (values[i] == null && !component.nullable()) {
                throw new SQLException("column %s is null, which %s does not allow"
                        .formatted(component.name(), record.getSimpleName()));
            }
        }
        return BeanUtils.instantiateClass(shape.constructor(), values);
    }

    private @Nullable Object read(ResultSet row, Component component) throws SQLException {
        Integer column = columns.get(component.name());
        if (column != null) {
            return value(row, column, component);
        }
        if (!component.type().isRecord()) {
            throw new SQLException("there is no column %s among %s".formatted(component.name(), columns.keySet()));
        }
        return (component.nullable() && isNull(row, component.type())) ? null : read(row, component.type());
    }

    private boolean isNull(ResultSet row, Class<?> record) throws SQLException {
        for (Component component : SHAPES.get(record).components()) {
            Integer column = columns.get(component.name());
            if (column != null && row.getObject(column) != null) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Object value(ResultSet row, int column, Component component) throws SQLException {
        Class<?> type = component.type();
        boolean primitive = type.isPrimitive();
        if (type == String.class) {
            return row.getString(column);
        } else if (type == boolean.class || type == Boolean.class) {
            boolean value = row.getBoolean(column);
            return (row.wasNull() && !primitive) ? null : value;
        } else if (type == int.class || type == Integer.class) {
            int value = row.getInt(column);
            return (row.wasNull() && !primitive) ? null : value;
        } else if (type == long.class || type == Long.class) {
            long value = row.getLong(column);
            return (row.wasNull() && !primitive) ? null : value;
        } else if (type == double.class || type == Double.class) {
            return number(row, column, primitive);
        } else if (type == Instant.class) {
            return Rows.instant(row, column);
        }
        return reference(row, column, component);
    }

    private static @Nullable Double number(ResultSet row, int column, boolean primitive) throws SQLException {
        if (row.getMetaData().getColumnType(column) == Types.TIMESTAMP) {
            Instant time = Rows.instant(row, column);
            return time == null ? null : Double.valueOf(Rows.seconds(time));
        }
        double value = row.getDouble(column);
        return (row.wasNull() && !primitive) ? null : Double.valueOf(value);
    }

    private static @Nullable Object reference(ResultSet row, int column, Component component) throws SQLException {
        Class<?> type = component.type();
        if (Collection.class.isAssignableFrom(type) && row.getMetaData().getColumnType(column) == Types.ARRAY) {
            List<String> items = Rows.strings(row, column);
            return (items != null && type == Set.class) ? Set.copyOf(items) : items;
        }
        String text = row.getString(column);
        if (text == null) {
            return null;
        }
        if (type == StoredJson.class) {
            return StoredJson.ofText(text);
        }
        return type.isEnum() ? constant(type, text) : JSON.readValue(text, JSON.constructType(component.genericType()));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the type is an enum
    private static Object constant(Class<?> type, String name) {
        return Enum.valueOf((Class<Enum>) type, name);
    }
}

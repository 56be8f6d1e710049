package dev.spur.service.database;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.spur.model.json.RoundJson;
import org.jspecify.annotations.Nullable;

/** JSON of a column with its value. The text is parsed when the value is first read, and never again. */
public final class StoredJson {
    private final String text;
    private @Nullable Object value;

    private StoredJson(String text, @Nullable Object value) {
        this.text = text;
        this.value = value;
    }

    /** Returns the JSON of a column. */
    public static StoredJson ofText(String text) {
        return new StoredJson(text, null);
    }

    /** Returns the JSON of {@code value}, which must be immutable. */
    public static StoredJson ofValue(Object value) {
        return new StoredJson(RoundJson.mapper().writeValueAsString(value), value);
    }

    /** Returns the text, as responses contain it. */
    @JsonValue
    @JsonRawValue
    public String text() {
        return text;
    }

    /**
     * Returns the value.
     *
     * @param type immutable type, the same in every call
     */
    public <T> T as(Class<T> type) {
        Object known = value;
        if (known == null) {
            known = RoundJson.mapper().readValue(text, type);
            value = known;
        }
        return type.cast(known);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredJson stored && text.equals(stored.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}

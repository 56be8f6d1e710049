package dev.spur.service.web.contract;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.spur.model.json.RoundJson;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Binds a body that fits the schema to records, whose constructors check what the schema cannot express. A constructor
 * reports only its first error. If binding fails, the parts are therefore bound one by one, innermost first, and all
 * errors are collected.
 */
public final class Binder {
    private static final JsonMapper MAPPER = RoundJson.mapper();
    /** Messages of constructors begin with the component and its value in parentheses. */
    private static final Pattern COMPONENT = Pattern.compile("^(\\w+) \\(");

    private Binder() {}

    /**
     * Binds {@code body}.
     *
     * @throws ProblemException 422 with all errors
     */
    public static <T> T bind(JsonNode body, Class<T> type) {
        try {
            return MAPPER.treeToValue(body, type);
        } catch (JacksonException e) {
            Set<FieldError> errors = new LinkedHashSet<>();
            collect(body, type, "", errors);
            if (errors.isEmpty()) {
                errors.add(FieldError.at(pointer(e), message(e)));
            }
            throw ProblemException.of(ProblemType.UNPROCESSABLE, new ArrayList<>(errors));
        }
    }

    /**
     * Binds {@code body} if {@code errors} is empty.
     *
     * @throws ProblemException 422 with {@code errors} and all errors of the body
     */
    public static <T> T bind(JsonNode body, Class<T> type, List<FieldError> errors) {
        List<FieldError> all = new ArrayList<>(errors);
        try {
            T value = bind(body, type);
            if (all.isEmpty()) {
                return value;
            }
        } catch (ProblemException problem) {
            all.addAll(problem.errors());
        }
        throw ProblemException.of(ProblemType.UNPROCESSABLE, all);
    }

    /** A value is bound only if its parts are valid; otherwise each error would be reported once per level. */
    private static void collect(JsonNode node, Type type, String pointer, Set<FieldError> errors) {
        int before = errors.size();
        if (before >= SchemaCheck.MAX_ERRORS) {
            return;
        }
        Class<?> raw = rawClass(type);
        if (node.isArray() && type instanceof ParameterizedType list) {
            for (int i = 0; i < node.size(); i++) {
                collect(node.get(i), list.getActualTypeArguments()[0], pointer + "/" + i, errors);
            }
        } else if (node.isObject() && Map.class.isAssignableFrom(raw) && type instanceof ParameterizedType map) {
            node.properties()
                    .forEach(entry -> collect(
                            entry.getValue(), map.getActualTypeArguments()[1], pointer + "/" + entry.getKey(), errors));
        } else if (node.isObject()) {
            components(kind(raw, node)).forEach((name, part) -> {
                if (node.has(name)) {
                    collect(node.path(name), part, pointer + "/" + name, errors);
                }
            });
            if (errors.size() == before) {
                tryOne(node, raw, pointer, errors);
            }
        }
    }

    /** The record type of {@code node}. For a type with several kinds, the discriminator member selects it. */
    private static Class<?> kind(Class<?> type, JsonNode node) {
        JsonTypeInfo typeInfo = type.getAnnotation(JsonTypeInfo.class);
        JsonSubTypes kinds = type.getAnnotation(JsonSubTypes.class);
        if (typeInfo != null && kinds != null) {
            for (JsonSubTypes.Type kind : kinds.value()) {
                if (kind.name().equals(node.path(typeInfo.property()).asString(""))) {
                    return kind.value();
                }
            }
        }
        return type;
    }

    private static void tryOne(JsonNode node, Class<?> raw, String pointer, Set<FieldError> errors) {
        try {
            MAPPER.treeToValue(node, raw);
        } catch (JacksonException e) {
            String message = message(e);
            Matcher component = COMPONENT.matcher(message);
            boolean named = component.find() && node.has(component.group(1));
            errors.add(FieldError.at(named ? pointer + "/" + component.group(1) : pointer + pointer(e), message));
        }
    }

    private static Map<String, Type> components(Class<?> type) {
        Map<String, Type> components = new LinkedHashMap<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                components.put(component.getName(), component.getGenericType());
            }
            return components;
        }
        for (Constructor<?> constructor : type.getConstructors()) {
            if (constructor.isAnnotationPresent(JsonCreator.class)) {
                for (Parameter parameter : constructor.getParameters()) {
                    JsonProperty property = parameter.getAnnotation(JsonProperty.class);
                    if (property != null) {
                        components.put(property.value(), parameter.getParameterizedType());
                    }
                }
            }
        }
        return components;
    }

    private static Class<?> rawClass(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return rawClass(parameterized.getRawType());
        }
        return type instanceof Class<?> raw ? raw : Object.class;
    }

    private static String pointer(JacksonException e) {
        StringBuilder pointer = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            pointer.append('/').append(step.getPropertyName() == null ? step.getIndex() : step.getPropertyName());
        }
        return pointer.toString();
    }

    private static String message(JacksonException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause instanceof JacksonException jackson ? jackson.getOriginalMessage() : cause.getMessage();
        return message == null ? "is invalid" : message;
    }
}

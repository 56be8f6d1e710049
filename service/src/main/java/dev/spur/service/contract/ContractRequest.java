package dev.spur.service.contract;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request that satisfies the contract, with defaults filled in. Controllers use it instead of the raw request.
 * Reading a parameter that the operation does not declare is a program error.
 */
public final class ContractRequest {
    static final String ATTRIBUTE = ContractRequest.class.getName();

    private final HttpServletRequest raw;
    private final Operation operation;
    private final Principal principal;
    private final Map<String, JsonNode> values;
    private final @Nullable JsonNode body;

    ContractRequest(
            HttpServletRequest raw,
            Operation operation,
            Principal principal,
            Map<String, JsonNode> values,
            @Nullable JsonNode body) {
        this.raw = raw;
        this.operation = operation;
        this.principal = principal;
        this.values = values;
        this.body = body;
    }

    /** The validated request. */
    public static @Nullable ContractRequest of(HttpServletRequest request) {
        return (ContractRequest) request.getAttribute(ATTRIBUTE);
    }

    /** The requested operation. */
    public Operation operation() {
        return operation;
    }

    /** The caller. */
    public Principal principal() {
        return principal;
    }

    /** The scope of the caller: the resources that it may read and change. */
    public AccessScope reach() {
        return principal.reach();
    }

    /** Address of the client, or of the proxy before it. */
    public String address() {
        return raw.getRemoteAddr();
    }

    /** Id of the request in the log. */
    public String requestId() {
        return RequestId.of(raw);
    }

    /** Path of the request as received, without the query. */
    public String path() {
        return raw.getRequestURI();
    }

    /** Query of the request as received; null if it has none. */
    public @Nullable String query() {
        return raw.getQueryString();
    }

    /** A required or defaulted parameter or header. */
    public String text(String name) {
        return Objects.requireNonNull(value(name), name).asString();
    }

    /** A required or defaulted integer. */
    public long number(String name) {
        return Objects.requireNonNull(value(name), name).longValue();
    }

    /** A required or defaulted flag. */
    public boolean flag(String name) {
        return Objects.requireNonNull(value(name), name).booleanValue();
    }

    /** An optional parameter or header. */
    public Optional<String> optionalText(String name) {
        return Optional.ofNullable(value(name)).map(JsonNode::asString);
    }

    /** The idempotency key. As a structured field, it may be in quotes. */
    public Optional<String> idempotencyKey() {
        return optionalText("Idempotency-Key")
                .map(key -> key.startsWith("\"") ? key.substring(1, key.length() - 1) : key);
    }

    /** An optional integer. */
    public Optional<Long> optionalNumber(String name) {
        return Optional.ofNullable(value(name)).map(JsonNode::longValue);
    }

    /** All values of a repeatable parameter. */
    public List<String> texts(String name) {
        JsonNode list = value(name);
        return list == null
                ? List.of()
                : list.valueStream().map(JsonNode::asString).toList();
    }

    /** An optional time. */
    public Optional<Instant> optionalTime(String name) {
        return optionalText(name).map(Instant::parse);
    }

    /** True if a filter is absent, or {@code value} equals one of its values. */
    public boolean matches(String filter, @Nullable Object value) {
        JsonNode wanted = value(filter);
        String text = String.valueOf(value);
        return wanted == null
                || (wanted.isArray()
                        ? wanted.valueStream().anyMatch(one -> one.asString().equals(text))
                        : value != null && wanted.asString().equals(text));
    }

    /** True if a filter is absent, or its value is one of {@code values}. */
    public boolean matchesOneOf(String filter, Collection<String> values) {
        return value(filter) == null || values.stream().anyMatch(value -> matches(filter, value));
    }

    /**
     * True if {@code time} is at or after the parameter {@code since} and before {@code until}; an absent parameter
     * does not limit it.
     */
    public boolean isWithin(Instant time) {
        return optionalTime("since").filter(time::isBefore).isEmpty()
                && optionalTime("until").filter(until -> !time.isBefore(until)).isEmpty();
    }

    /** The body with defaults, as a tree. */
    public JsonNode body() {
        return Objects.requireNonNull(body, "the operation reads no body");
    }

    /**
     * The body with defaults, bound to {@code type}.
     *
     * @throws ProblemException 422 with all errors if its parts contradict each other
     */
    public <T> T body(Class<T> type) {
        return Binder.bind(body(), type);
    }

    /**
     * The body with defaults, bound to {@code type}, if {@code errors} is empty.
     *
     * @throws ProblemException 422 with {@code errors} and all errors of the body
     */
    public <T> T body(Class<T> type, List<FieldError> errors) {
        List<FieldError> all = new ArrayList<>(errors);
        try {
            T value = body(type);
            if (all.isEmpty()) {
                return value;
            }
        } catch (ProblemException problem) {
            all.addAll(problem.errors());
        }
        throw ProblemException.of(ProblemType.UNPROCESSABLE, all);
    }

    private @Nullable JsonNode value(String name) {
        if (operation.parameters().stream()
                .noneMatch(parameter -> parameter.name().equals(name))) {
            throw new IllegalArgumentException(operation.id() + " has no parameter " + name);
        }
        return values.get(name);
    }
}

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
 * A request that agrees with the contract: what a controller takes instead of the raw one. Defaults are filled in.
 * Asking for something that the operation does not have is a fault of the program.
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

    /** The request that was checked. */
    public static @Nullable ContractRequest of(HttpServletRequest request) {
        return (ContractRequest) request.getAttribute(ATTRIBUTE);
    }

    /** The operation that was asked for. */
    public Operation operation() {
        return operation;
    }

    /** Who asks. */
    public Principal principal() {
        return principal;
    }

    /** What of the cluster may be shown and touched. */
    public AccessScope reach() {
        return principal.reach();
    }

    /** Address of the machine that asks, or of the proxy before it. */
    public String address() {
        return raw.getRemoteAddr();
    }

    /** By which the log knows the request. */
    public String requestId() {
        return RequestId.of(raw);
    }

    /** Path of the request as it came, without the query. */
    public String path() {
        return raw.getRequestURI();
    }

    /** Query of the request as it came; null if it has none. */
    public @Nullable String query() {
        return raw.getQueryString();
    }

    /** A parameter or header that is always there. */
    public String text(String name) {
        return Objects.requireNonNull(value(name), name).asString();
    }

    /** A whole number that is always there. */
    public long number(String name) {
        return Objects.requireNonNull(value(name), name).longValue();
    }

    /** A flag that is always there. */
    public boolean flag(String name) {
        return Objects.requireNonNull(value(name), name).booleanValue();
    }

    /** A parameter or header that may be absent. */
    public Optional<String> optionalText(String name) {
        return Optional.ofNullable(value(name)).map(JsonNode::asString);
    }

    /** The key by which a submission is known when it comes again; as a structured field it stands in quotes. */
    public Optional<String> idempotencyKey() {
        return optionalText("Idempotency-Key")
                .map(key -> key.startsWith("\"") ? key.substring(1, key.length() - 1) : key);
    }

    /** A whole number that may be absent. */
    public Optional<Long> optionalNumber(String name) {
        return Optional.ofNullable(value(name)).map(JsonNode::longValue);
    }

    /** All values of a parameter that may be given several times. */
    public List<String> texts(String name) {
        JsonNode list = value(name);
        return list == null
                ? List.of()
                : list.valueStream().map(JsonNode::asString).toList();
    }

    /** A time that may be absent. */
    public Optional<Instant> optionalTime(String name) {
        return optionalText(name).map(Instant::parse);
    }

    /** True if a filter is absent, or {@code value} is its value or one of its values. */
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
     * True if {@code time} is at or after the parameter {@code since} and before {@code until}, as far as they are
     * given.
     */
    public boolean isWithin(Instant time) {
        return optionalTime("since").filter(time::isBefore).isEmpty()
                && optionalTime("until").filter(until -> !time.isBefore(until)).isEmpty();
    }

    /** The completed body as a tree. */
    public JsonNode body() {
        return Objects.requireNonNull(body, "the operation reads no body");
    }

    /**
     * The completed body as a value.
     *
     * @throws ProblemException 422 with every misfit if its parts do not fit each other
     */
    public <T> T body(Class<T> type) {
        return Binder.bind(body(), type);
    }

    /**
     * The completed body as a value, if {@code errors} is empty.
     *
     * @throws ProblemException 422 with {@code errors} and every misfit
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

package dev.spur.service.web.contract;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The API contract in memory: its operations and the compiled schemas. Thread-safe. */
public final class Contract {
    private static final String ID = "https://spur.invalid/openapi";
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");

    private final JsonNode document;
    /** Schema of the whole file. It is kept because the registry would read the file again for each reference. */
    private final Schema root;

    private final List<Operation> operations;
    private final Map<String, Operation> byRoute;
    private final Map<String, SchemaCheck> checks = new ConcurrentHashMap<>();
    private final Map<String, SchemaRule> rules = new ConcurrentHashMap<>();

    private Contract(JsonNode document) {
        this.document = document;
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .formatAssertionsEnabled(true)
                .locale(Locale.ENGLISH) // otherwise that of the machine
                .build();
        root = SchemaRegistry.withDefaultDialect(
                        dialect(document),
                        builder -> builder.schemaRegistryConfig(config).schemas(Map.of(ID, document.toString())))
                .getSchema(SchemaLocation.of(ID));
        List<Operation> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> item : path.getValue().properties()) {
                if (METHODS.contains(item.getKey())) {
                    all.add(OperationReader.read(this, path.getKey(), item.getKey()));
                }
            }
        }
        operations = List.copyOf(all);
        byRoute = all.stream().collect(Collectors.toUnmodifiableMap(o -> route(o.method(), o.path()), o -> o));
    }

    /**
     * JSON Schema with the members of an OpenAPI document as keywords that check nothing, so that the root can be a
     * schema.
     */
    private static Dialect dialect(JsonNode document) {
        return Dialect.builder(Dialects.getDraft202012())
                .keywords(document.propertyNames().stream()
                        .map(NonValidationKeyword::new)
                        .toList())
                .build();
    }

    /** Loads the contract that is packaged with the service. */
    public static Contract load() {
        try (InputStream file = Contract.class.getResourceAsStream("/openapi.yaml")) {
            if (file == null) {
                throw new IllegalStateException("openapi.yaml is not on the class path");
            }
            return new Contract(new YAMLMapper().readTree(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All operations. */
    public List<Operation> operations() {
        return operations;
    }

    /** The operation for {@code method} at a path template; HEAD has the operation of GET. */
    Optional<Operation> operation(String method, String path) {
        return Optional.ofNullable(byRoute.get(route(method.equals("HEAD") ? "GET" : method, path)));
    }

    private static String route(String method, String path) {
        return method + " " + path;
    }

    /** The file as a tree. */
    public JsonNode document() {
        return document;
    }

    /** The node itself, or the target of the reference that it contains. */
    JsonNode resolve(JsonNode node) {
        JsonNode current = node;
        while (current.has("$ref") && current.size() == 1) {
            current = target(current.path("$ref").asString());
        }
        return current;
    }

    /** The target of a reference such as {@code #/components/schemas/Job}. */
    JsonNode target(String reference) {
        JsonNode target = document.at(reference.substring(1));
        if (target.isMissingNode()) {
            throw new IllegalStateException("openapi.yaml has no " + reference);
        }
        return target;
    }

    /** The rule at the target of a reference. */
    SchemaRule rule(String reference) {
        return rules.computeIfAbsent(reference, key -> SchemaRule.read(this, target(key)));
    }

    /**
     * Fills the defaults of a named schema into {@code tree}, in place, and returns the schema violations. Used for
     * values that were composed of separately validated parts.
     */
    public List<FieldError> complete(String schema, JsonNode tree) {
        String pointer = "/components/schemas/" + schema;
        SchemaCheck check = check(pointer);
        check.fillInDefaults(tree);
        return check.errors(tree);
    }

    /**
     * Parses JSON by the rules for request bodies.
     *
     * @throws ProblemException 400 with the place if it is not JSON
     */
    public static JsonNode parse(byte[] json) {
        return BodyReader.read(json);
    }

    /**
     * The check for the schema at a JSON pointer into the file. Each is compiled once, because operations share most of
     * their parameters.
     */
    public SchemaCheck check(String pointer) {
        return checks.computeIfAbsent(pointer, this::compile);
    }

    private SchemaCheck compile(String pointer) {
        Schema schema = root.getRefSchema(SchemaLocation.Fragment.of("#" + pointer));
        return new SchemaCheck(schema, new SchemaWalk(this, rule("#" + pointer)));
    }
}

package dev.spur.service.contract;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The contract in memory: its operations, and the schemas compiled once. Safe for use by many threads. */
public final class Contract {
    private static final String ID = "https://spur.invalid/openapi";
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");

    private final JsonNode document;
    /** The whole file: the registry reads the file again for each place that it is asked for. */
    private final Schema root;

    private final List<Operation> operations;
    private final RouteIndex routes = new RouteIndex();
    private final Map<String, SchemaCheck> checks = new ConcurrentHashMap<>();

    private Contract(JsonNode document) {
        this.document = document;
        SchemaRegistryConfig config =
                SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
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
        operations.forEach(routes::add);
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

    /** The contract that travels with the service. */
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

    /** Every operation. */
    public List<Operation> operations() {
        return operations;
    }

    /** The operation that answers {@code method} at {@code path}, the raw path of a URI. */
    public Optional<RouteIndex.Match> find(String method, String path) {
        return routes.find(method.equals("HEAD") ? "GET" : method, path);
    }

    /** The file as a tree. */
    public JsonNode document() {
        return document;
    }

    /** The node at a JSON pointer, which must exist; if it is a reference, what that refers to. */
    JsonNode resolve(JsonNode node) {
        JsonNode current = node;
        while (current.has("$ref") && current.size() == 1) {
            current = target(current.path("$ref").asString());
        }
        return current;
    }

    /** What a reference such as {@code #/components/schemas/Job} refers to. */
    JsonNode target(String reference) {
        JsonNode target = document.at(reference.substring(1));
        if (target.isMissingNode()) {
            throw new IllegalStateException("openapi.yaml has no " + reference);
        }
        return target;
    }

    /**
     * Fills the defaults of a named schema into {@code tree}, in place, and tells in what it still differs from the
     * schema. For what was put together from parts that were checked alone.
     */
    public List<FieldError> complete(String schema, JsonNode tree) {
        String pointer = "/components/schemas/" + schema;
        new Defaults(this, document.at(pointer)).fillIn(tree);
        return check(pointer).errors(tree);
    }

    /**
     * A text as a tree, by the rules for bodies of requests.
     *
     * @throws ProblemException 400 with the place if it is not JSON
     */
    public static JsonNode parse(byte[] json) {
        return BodyReader.read(json);
    }

    /**
     * A tree that fits its schema as a value.
     *
     * @throws ProblemException 422 with every misfit if its parts do not fit each other
     */
    public <T> T bind(JsonNode tree, Class<T> type) {
        return Binder.bind(tree, type);
    }

    /**
     * The check by the schema at a JSON pointer into the file. Most operations share most of their parameters, so it is
     * compiled once.
     */
    public SchemaCheck check(String pointer) {
        return checks.computeIfAbsent(pointer, this::compiled);
    }

    private SchemaCheck compiled(String pointer) {
        Schema schema = root.getRefSchema(SchemaLocation.Fragment.of("#" + pointer));
        return new SchemaCheck(schema, new SizeCheck(this, document.at(pointer)));
    }
}

package dev.spur.service.api;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.NamedStore;
import dev.spur.service.store.Versioned;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shared implementation of named resources: read, create, replace and delete by the rules of ETags. Each change is one
 * transaction that has locked the row.
 */
final class NamedResource<T> {
    private final Kind<T> kind;
    private final NamedStore<T> store;
    private final TransactionTemplate transaction;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    NamedResource(
            Kind<T> kind,
            NamedStore<T> store,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.kind = kind;
        this.store = store;
        this.transaction = transaction;
        this.trigger = trigger;
        this.trail = trail;
    }

    /**
     * A kind of resource.
     *
     * @param words its display name
     * @param key member and path variable that contain the name
     * @param type its class
     * @param name returns the name of a resource
     * @param rules validation rules that the schema cannot express
     */
    record Kind<T>(String words, String key, Class<T> type, Function<T, String> name, Rules<T> rules) {}

    /** Validation rules that need the database. */
    interface Rules<T> {
        /** Adds the violations of {@code value} to {@code errors}; {@code before} is null for a new resource. */
        void check(T value, @Nullable T before, List<FieldError> errors);

        /**
         * Returns the value with derived parts. Called before it is compared with {@code before}, checked and stored.
         */
        default T completed(T value, @Nullable T before) {
            return value;
        }

        /** Descriptions of the known references to the resource; empty if there are none. */
        default List<String> usersOf(T value) {
            return List.of();
        }
    }

    ResponseEntity<Page<T>> list(ContractRequest request) {
        return list(request, value -> true);
    }

    /** A page of the resources that match. */
    ResponseEntity<Page<T>> list(ContractRequest request, Predicate<T> matches) {
        int limit = Page.limit(request);
        List<Versioned<T>> found = Page.matching(
                Page.after(request, ""),
                limit + 1,
                (after, most) -> store.list(request.reach(), after, most),
                this::nameOf,
                resource -> matches.test(resource.value()));
        return Page.of(found, limit, this::nameOf).map(Versioned::value).answer(request);
    }

    ResponseEntity<T> get(ContractRequest request) {
        String name = request.text(kind.key());
        Versioned<T> found = store.find(name).orElseThrow(() -> ProblemException.notFound(kind.words(), name));
        return ConditionalResponses.of(request, EntityTag.of(found.version()), found.value());
    }

    ResponseEntity<T> put(ContractRequest request) {
        T said = named(request);
        AtomicBoolean created = new AtomicBoolean();
        Versioned<T> stored = inTransaction(() -> {
            Versioned<T> before = store.lock(request.text(kind.key())).orElse(null);
            T value = kind.rules().completed(said, before == null ? null : before.value());
            return before == null ? create(request, value, created) : replaceIfMatching(request, before, value);
        });
        return created.get()
                ? ResponseEntity.created(URI.create(request.path()))
                        .eTag(EntityTag.of(stored.version()).header())
                        .body(stored.value())
                : changed(HttpStatus.OK, stored);
    }

    private Versioned<T> create(ContractRequest request, T value, AtomicBoolean created) {
        if (request.optionalText("If-Match").isPresent()) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_FAILED,
                    FieldError.inHeader("If-Match", "names a version, but the resource does not exist"));
        }
        check(value, null);
        if (!store.insert(value)) {
            refuseToReplace(request);
            return store.lock(kind.name().apply(value))
                    .filter(other -> value.equals(other.value()))
                    .orElseThrow(() -> ProblemException.of(
                            ProblemType.PRECONDITION_REQUIRED,
                            FieldError.inHeader("If-Match", "is required: another request has just created it")));
        }
        created.set(true);
        trail.changed(kind.words(), kind.name().apply(value), null, value);
        return new Versioned<>(value, 1);
    }

    private Versioned<T> replaceIfMatching(ContractRequest request, Versioned<T> before, T value) {
        refuseToReplace(request);
        requireMatch(request, before, value);
        return replace(before, value);
    }

    private static void refuseToReplace(ContractRequest request) {
        if (request.optionalText("If-None-Match").isPresent()) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_FAILED,
                    FieldError.inHeader("If-None-Match", "forbids replacement, and the resource exists"));
        }
    }

    /** A value that equals the stored one needs no If-Match: a repeated PUT changes nothing. */
    private static <T> void requireMatch(ContractRequest request, Versioned<T> before, T value) {
        EntityTag tag = EntityTag.of(before.version());
        if (value.equals(before.value())) {
            tag.allow(request.optionalText("If-Match"));
        } else {
            tag.require(request.optionalText("If-Match"));
        }
    }

    /** Changes an existing resource. Any version is accepted unless If-Match names one. */
    ResponseEntity<T> change(ContractRequest request, boolean requireMatch, HttpStatus status, UnaryOperator<T> edit) {
        String name = request.text(kind.key());
        return changed(status, inTransaction(() -> {
            Versioned<T> before = store.lock(name).orElseThrow(() -> ProblemException.notFound(kind.words(), name));
            if (requireMatch) {
                EntityTag.of(before.version()).require(request.optionalText("If-Match"));
            }
            return replace(before, edit.apply(before.value()));
        }));
    }

    ResponseEntity<Void> delete(ContractRequest request) {
        String name = request.text(kind.key());
        inTransaction(() -> {
            Versioned<T> before = store.lock(name).orElseThrow(() -> ProblemException.notFound(kind.words(), name));
            EntityTag.of(before.version()).allow(request.optionalText("If-Match"));
            List<String> users = kind.rules().usersOf(before.value());
            if (!users.isEmpty()) {
                throw ProblemException.of(
                        ProblemType.IN_USE, users.stream().map(FieldError::of).toList());
            }
            if (!store.delete(name)) {
                throw ProblemException.of(ProblemType.IN_USE, "The %s %s is in use.".formatted(kind.words(), name));
            }
            trail.changed(kind.words(), name, before.value(), null);
            return before;
        });
        return ResponseEntity.noContent().build();
    }

    private Versioned<T> replace(Versioned<T> before, T value) {
        if (value.equals(before.value())) {
            return before;
        }
        check(value, before.value());
        store.replace(value);
        trail.changed(kind.words(), kind.name().apply(value), before.value(), value);
        return new Versioned<>(value, before.version() + 1);
    }

    private void check(T value, @Nullable T before) {
        List<FieldError> errors = new ArrayList<>();
        kind.rules().check(value, before, errors);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }

    private Versioned<T> inTransaction(Supplier<Versioned<T>> work) {
        return Objects.requireNonNull(transaction.execute(status -> {
            Versioned<T> result = work.get();
            trigger.changed(kind.words() + " " + nameOf(result));
            return result;
        }));
    }

    private ResponseEntity<T> changed(HttpStatus status, Versioned<T> stored) {
        return ResponseEntity.status(status)
                .eTag(EntityTag.of(stored.version()).header())
                .body(stored.value());
    }

    /** The body with the name from the path; a name in the body must be equal to it. */
    private T named(ContractRequest request) {
        String name = request.text(kind.key());
        ObjectNode body = (ObjectNode) request.body();
        if (body.has(kind.key()) && !body.path(kind.key()).asString().equals(name)) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at("/" + kind.key(), "differs from the path, which names " + name));
        }
        body.put(kind.key(), name);
        return request.body(kind.type());
    }

    private String nameOf(Versioned<T> resource) {
        return kind.name().apply(resource.value());
    }
}

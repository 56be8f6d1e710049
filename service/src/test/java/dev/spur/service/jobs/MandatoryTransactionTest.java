package dev.spur.service.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.testing.ServiceTest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A lock without a transaction of the caller would end before the caller has changed anything. */
class MandatoryTransactionTest extends ServiceTest {
    @Autowired
    private JobStore jobs;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private ApplicationContext context;

    @Test
    void aStoreRejectsACallWithoutTheTransactionThatItRequires() {
        String id = world.job(1);

        assertThatThrownBy(() -> jobs.lock(id)).isInstanceOf(IllegalTransactionStateException.class);
        Optional<StoredJob> locked = transaction.execute(status -> jobs.lock(id));
        assertThat(locked).isPresent();
    }

    @Test
    void everyLockOfAStoreRequiresOne() {
        List<Method> locks = context.getBeansWithAnnotation(Repository.class).values().stream()
                .<Class<?>>map(AopUtils::getTargetClass)
                .flatMap(store -> Stream.of(store.getDeclaredMethods()))
                .filter(method -> method.getName().startsWith("lock") && !method.isSynthetic())
                .toList();

        assertThat(locks).hasSizeGreaterThan(10).allMatch(MandatoryTransactionTest::isMandatory);
    }

    private static boolean isMandatory(Method method) {
        return Stream.of(method, method.getDeclaringClass())
                .map(element -> AnnotatedElementUtils.findMergedAnnotation(element, Transactional.class))
                .anyMatch(found -> found != null && found.propagation() == Propagation.MANDATORY);
    }
}

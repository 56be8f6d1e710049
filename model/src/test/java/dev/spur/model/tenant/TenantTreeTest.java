package dev.spur.model.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TenantTreeTest {
    private static final TenantTree TREE = new TenantTree(List.of(
            tenant("lab", null, 2),
            tenant("vision", "lab", 3),
            tenant("speech", "lab", 1),
            tenant("ocr", "vision", 0.5)));

    private static Tenant tenant(String name, String parent, double weight) {
        return new Tenant(name, parent, weight, Map.of());
    }

    @Test
    void itIsWalkedFromTheTop() {
        assertThat(TREE.rootTenants()).extracting(Tenant::name).containsExactly("lab");
        assertThat(TREE.childrenOf("lab")).extracting(Tenant::name).containsExactly("vision", "speech");
        assertThat(TREE.childrenOf("ocr")).isEmpty();
    }

    @Test
    void aTenantIsWithinItselfAndAllAboveIt() {
        assertThat(TREE.isWithin("ocr", "ocr")).isTrue();
        assertThat(TREE.isWithin("ocr", "vision")).isTrue();
        assertThat(TREE.isWithin("ocr", "lab")).isTrue();
        assertThat(TREE.isWithin("ocr", "speech")).isFalse();
        assertThat(TREE.isWithin("lab", "ocr")).isFalse();
        assertThat(TREE.isWithin("nobody", "lab")).isFalse();
    }

    @Test
    void weightsMultiplyFromATenantToTheTop() {
        assertThat(TREE.weightOf("ocr")).isEqualTo(0.5 * 3 * 2);
        assertThat(TREE.weightOf("lab")).isEqualTo(2);
        assertThat(TREE.weightOf("nobody")).isEqualTo(1);
    }
}

/** Policies that give elastic jobs more or fewer slots: of Hu, of Saxena, of Voda, and AFS-L. */
@NullMarked
package dev.spur.policies.elastic;

import org.jspecify.annotations.NullMarked;

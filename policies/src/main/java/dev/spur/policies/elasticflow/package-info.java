/** ElasticFlow: admission of deadlines that can be met (Gu et al., ASPLOS '23). */
@NullMarked
package dev.spur.policies.elasticflow;

import org.jspecify.annotations.NullMarked;

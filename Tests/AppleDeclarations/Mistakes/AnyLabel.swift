// incorrect argument label in call (have '_:for:', expected '_:forKey:')
import QuartzCore

func mistake(_ layer: CALayer) {
    layer.add(CATransition(), for: "easel")
}

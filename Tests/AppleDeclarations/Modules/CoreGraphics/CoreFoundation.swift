// On Apple's systems, Core Foundation's types are separate and bridge to these.
@_exported public import Foundation

public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFDictionary = NSDictionary
public typealias CFArray = NSArray
public typealias CFAllocator = NSObject
public typealias CFError = NSError
